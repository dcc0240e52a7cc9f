//! The urgency of a thumbnail.

use std::fmt;
use std::str::FromStr;

/// The urgency of a thumbnail, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// The place of the thumbnail is visible on a screen.
    Visible,
    /// A client waits for it, or will show its place next.
    Next,
    /// No client waits for it.
    Background,
}

impl Priority {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 3] = [Self::Visible, Self::Next, Self::Background];
}

/// An error for a text that is not a [`Priority`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a priority is visible, next or background")]
pub struct InvalidPriority;

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Visible => "visible",
            Self::Next => "next",
            Self::Background => "background",
        })
    }
}

impl FromStr for Priority {
    type Err = InvalidPriority;

    fn from_str(text: &str) -> Result<Self, InvalidPriority> {
        let named = |priority: &Self| priority.to_string() == text;
        Self::ALL.into_iter().find(named).ok_or(InvalidPriority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priority_round_trips_and_sorts_by_urgency() {
        for priority in Priority::ALL {
            assert_eq!(priority.to_string().parse(), Ok(priority));
        }
        assert!(Priority::ALL.is_sorted());
        for text in ["", "Visible", "high", "0"] {
            assert_eq!(text.parse::<Priority>(), Err(InvalidPriority));
        }
    }
}
