//! A budget for the work that one request can cause: time, steps, and the end of the request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The budget of one request. Long work is done in steps of bounded size and calls [`Budget::spend`] before each.
/// Clones share the steps and the cancellation.
#[derive(Debug, Clone)]
pub struct Budget {
    deadline: Option<Instant>,
    max_steps: u64,
    shared: Arc<SharedBudget>,
}

#[derive(Debug, Default)]
struct SharedBudget {
    cancelled: AtomicBool,
    steps: AtomicU64,
}

/// An error: the budget is spent, or the request was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the work took too long")]
pub struct BudgetSpent;

impl Budget {
    /// Returns a budget that only a cancellation ends.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::of_steps(u64::MAX)
    }

    /// Returns a budget of this number of steps.
    #[must_use]
    pub fn of_steps(max_steps: u64) -> Self {
        Self {
            deadline: None,
            max_steps,
            shared: Arc::default(),
        }
    }

    /// Returns the same budget with a time limit from now on, unless it has a shorter one.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Self {
        let limit = Instant::now().checked_add(limit);
        let deadline = self.deadline.into_iter().chain(limit).min();
        Self {
            deadline,
            ..self.clone()
        }
    }

    /// Spends one step.
    ///
    /// # Errors
    /// [`BudgetSpent`] if the work must end.
    pub fn spend(&self) -> Result<(), BudgetSpent> {
        let steps = self.shared.steps.fetch_add(1, Ordering::Relaxed);
        let is_late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        match steps >= self.max_steps || is_late || self.is_cancelled() {
            true => Err(BudgetSpent),
            false => Ok(()),
        }
    }

    /// Returns the number of steps so far, refused ones included.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.shared.steps.load(Ordering::Relaxed)
    }

    /// Ends the work before its next step.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns whether the request was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_time_and_cancellation_end_the_work() {
        let few = Budget::of_steps(2);
        assert_eq!(few.spend(), Ok(()));
        assert_eq!(few.clone().spend(), Ok(()));
        assert_eq!(few.spend(), Err(BudgetSpent));
        assert_eq!(few.steps(), 3);
        let unlimited = Budget::unlimited();
        let late = unlimited.within(Duration::ZERO);
        assert_eq!(late.spend(), Err(BudgetSpent));
        assert_eq!(late.within(Duration::MAX).spend(), Err(BudgetSpent));
        assert_eq!(unlimited.spend(), Ok(()));
        late.cancel();
        assert_eq!(unlimited.spend(), Err(BudgetSpent));
    }
}
