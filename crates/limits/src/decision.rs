//! Answers of a backend.

use std::fmt;
use std::str::FromStr;

use fumikura_base::entropy::{Entropy, random_bytes};

/// The id of a granted request: 48 random bits, written as 12 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId([u8; 6]);

impl RequestId {
    pub(crate) fn random(entropy: &dyn Entropy) -> Self {
        Self(random_bytes(entropy))
    }
}

/// Request ids for one process, taken from a block of random bytes.
pub(crate) struct RequestIds {
    block: [u8; Self::BLOCK],
    used: usize,
}

impl RequestIds {
    const BLOCK: usize = 6 * 170;

    pub(crate) fn next(&mut self, entropy: &dyn Entropy) -> RequestId {
        if self.used == Self::BLOCK {
            entropy.fill(&mut self.block);
            self.used = 0;
        }
        let id = self.block[self.used..].first_chunk();
        self.used += 6;
        RequestId(*id.expect("BUG: a block holds whole ids"))
    }
}

impl Default for RequestIds {
    fn default() -> Self {
        Self {
            block: [0; Self::BLOCK],
            used: Self::BLOCK,
        }
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// A text that is not a request id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a request id has 12 lowercase hexadecimal digits")]
pub struct InvalidRequestId;

impl FromStr for RequestId {
    type Err = InvalidRequestId;

    fn from_str(text: &str) -> Result<Self, InvalidRequestId> {
        let mut bytes = [0; 6];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| InvalidRequestId)?;
        let id = Self(bytes);
        (id.to_string() == text)
            .then_some(id)
            .ok_or(InvalidRequestId)
    }
}

/// The decision on a request. Waiting times are whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The request may proceed and is counted. [`Backend::release`](crate::Backend::release) takes the id.
    Granted(RequestId),
    /// The client's window is full.
    MinuteLimit {
        /// Seconds until a request may be granted: 1 to 61.
        retry_after: u64,
    },
    /// The client's daily limit is exhausted.
    DailyLimit {
        /// Seconds until the next local day.
        retry_after: u64,
    },
    /// The daily limit of all clients together is exhausted.
    TotalLimit {
        /// Seconds until the next local day.
        retry_after: u64,
    },
}

/// The counts of one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Requests in the last 60 seconds.
    pub minute_count: u64,
    /// Requests on this local day.
    pub daily_count: u64,
    /// Requests of all clients on this local day; 0 if no total limit is set.
    pub total_count: u64,
    /// Seconds until the oldest request leaves the window; 0 if the window is empty.
    pub minute_reset: u64,
    /// Seconds until the next local day.
    pub daily_reset: u64,
}

/// A decision, and the counts right after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    pub decision: Decision,
    /// The counts, including the request if it was granted.
    pub usage: Usage,
}

#[cfg(test)]
mod tests {
    use super::*;
    use fumikura_base::entropy::SeededEntropy;

    #[test]
    fn request_id_round_trips() {
        let id = RequestId::random(&SeededEntropy::new(7));
        let text = id.to_string();
        assert_eq!(text.len(), 12);
        assert_eq!(text.parse(), Ok(id));
        for bad in [
            "",
            "0123456789a",
            "0123456789abc",
            "0123456789AB",
            "0123456789ag",
        ] {
            assert_eq!(bad.parse::<RequestId>(), Err(InvalidRequestId), "{bad}");
        }
    }
}
