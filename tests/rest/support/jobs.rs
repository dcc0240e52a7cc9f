//! Starting jobs and waiting for them.

use std::time::Duration;

use serde_json::Value;

use super::TestApp;

impl TestApp {
    /// Starts a job and returns it when it has ended.
    pub(crate) async fn run_job(&self, path: &str, body: Value) -> Value {
        let started = self.post(path).json(body).send().await;
        let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
        self.job_end(&id).await
    }

    /// Returns a job when it has ended.
    pub(crate) async fn job_end(&self, id: &str) -> Value {
        for _ in 0..12_000 {
            let job = self.get(&format!("/api/jobs/{id}")).send().await;
            let job = job.is(200).json();
            if !job["ended_at"].is_null() {
                return job;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("job {id} does not end");
    }
}
