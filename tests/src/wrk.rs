//! Repeated requests for one address by wrk, and its results.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

use crate::stage::{Home, programs};

/// The result of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Responses per second.
    pub rate: f64,
    /// The 99th percentile of the response times, in milliseconds.
    pub p99_ms: f64,
}

/// Sends requests over `connections` connections for a while.
///
/// # Errors
/// Fails if any response is missing or has another status than 2xx or 3xx.
pub async fn run(
    home: &Home,
    url: &str,
    header: Option<&str>,
    connections: u32,
    time: Duration,
) -> Result<Run> {
    let mut wrk = Command::new(programs::system("wrk")?);
    wrk.args(["--threads", "2", "--latency"])
        .args(["--connections", &connections.to_string()])
        .args(["--duration", &format!("{}s", time.as_secs())]);
    if let Some(header) = header {
        wrk.args(["--header", header]);
    }
    let output = wrk.arg(url).current_dir(home.path()).output().await?;
    let report = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success(),
        "wrk: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    read(&report).with_context(|| format!("the report of wrk for {url}: {report}"))
}

fn read(report: &str) -> Result<Run> {
    for fault in ["Non-2xx or 3xx responses", "Socket errors"] {
        ensure!(!report.contains(fault), "{fault}");
    }
    let after = |name: &str| {
        let line = report
            .lines()
            .find_map(|line| line.trim().strip_prefix(name))
            .with_context(|| format!("{name} is missing"));
        line.map(str::trim)
    };
    Ok(Run {
        rate: after("Requests/sec:")?.parse()?,
        p99_ms: milliseconds(after("99%")?)?,
    })
}

fn milliseconds(text: &str) -> Result<f64> {
    for (unit, factor) in [("us", 0.001), ("ms", 1.0), ("s", 1000.0), ("m", 60_000.0)] {
        if let Some(number) = text.strip_suffix(unit) {
            return Ok(number.parse::<f64>()? * factor);
        }
    }
    anyhow::bail!("{text} is no time")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "Running 2s test @ http://127.0.0.1:8080/
  2 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.20ms    0.60ms  14.00ms   80.00%
    Req/Sec    26.51k     1.24k   29.40k    70.00%
  Latency Distribution
     50%    1.10ms
     75%    1.40ms
     90%    1.90ms
     99%    3.25ms
  105600 requests in 2.00s, 0.96GB read
Requests/sec:  52800.25
Transfer/sec:    490.00MB
";

    #[test]
    fn rate_and_99th_percentile_are_parsed() {
        let run = Run {
            rate: 52_800.25,
            p99_ms: 3.25,
        };
        assert_eq!(read(OUTPUT).unwrap(), run);
        for (text, ms) in [("870.00us", 0.87), ("1.50s", 1500.0), ("1.00m", 60_000.0)] {
            assert!((milliseconds(text).unwrap() - ms).abs() < 1e-9);
        }
    }

    #[test]
    fn failed_runs_are_refused() {
        for fault in [
            "  Non-2xx or 3xx responses: 7\n",
            "  Socket errors: connect 0, read 3, write 0, timeout 0\n",
        ] {
            assert!(read(&format!("{OUTPUT}{fault}")).is_err());
        }
        assert!(read("").is_err());
    }
}
