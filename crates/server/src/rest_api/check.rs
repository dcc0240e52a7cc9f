//! `/api/check`: checks the integrity of the wiki, and repairs it.

use std::sync::Arc;

use axum::response::Response;
use fumikura_wiki::{
    CheckError, CheckReport, Depth, Fault, RepairError, RepairReport, StorageError, list_backups,
};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;
use utoipa_axum::routes;

use crate::error::{ApiError, ErrorBody};
use crate::jobs::{self, JobError, JobKind, JobOutcome, Progress, StartedJob};
use crate::operations::watching;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::services::Backup;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct CheckQuery {
    /// True to repair what can be repaired without a loss.
    #[serde(default)]
    repair: bool,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(wiki_check))
}

/// Starts a job that checks the integrity of the wiki, and repairs it.
///
/// Without `repair`, nothing is changed, and the id of a running check is returned if there is one. With it, a copy of
/// the database is made in `backups/` first; then derived rows are rebuilt, damaged and missing files are brought back
/// from backups that have them, and everything is checked again. The job's result is `{pages, revisions,
/// faults: [{place, words, repairable}], repaired: [{place, words}], copy, last_proved_backup}`: `faults` are those that
/// remain, and `copy` is the path of the copy, or null if nothing had to be repaired. If the database can't be copied, the
/// job's error is `not_repaired`, and nothing has changed.
#[utoipa::path(post, path = "/api/check", tag = "jobs", params(CheckQuery), responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 429, description = "`too_much_work`", body = ErrorBody),
))]
async fn wiki_check(
    Part(backup): Part<Backup>,
    ApiQuery(CheckQuery { repair }): ApiQuery<CheckQuery>,
) -> Result<Response, ApiError> {
    let (runner, checked) = (Arc::clone(&backup.runner), backup);
    let job = match repair {
        false => runner.start(JobKind::Check, move |progress| checked.check(progress)),
        true => runner.start_another(JobKind::Check, move |progress| checked.repair(progress))?,
    };
    Ok(jobs::accepted(job))
}

impl Backup {
    fn check(&self, progress: &Progress) -> JobOutcome {
        let depth = Depth::Everything;
        match self
            .wiki
            .check_with_progress(depth, &mut watching(progress))
        {
            Ok(report) => Ok(self.written(&report, &[], None)?),
            Err(CheckError::Cancelled) => Err(JobError::Cancelled),
            Err(CheckError::Storage(error)) => Err(error.into()),
        }
    }

    fn repair(&self, progress: &Progress) -> JobOutcome {
        let backups = self.config.backups();
        let repaired = self
            .wiki
            .backups()
            .repair(&backups, &mut watching(progress));
        let RepairReport {
            copy,
            repaired,
            after,
        } = match repaired {
            Ok(report) => report,
            Err(RepairError::Cancelled) => return Err(JobError::Cancelled),
            Err(error) => return Err(error.into()),
        };
        for fault in &repaired {
            tracing::info!("repaired: {fault}");
        }
        let copy = copy.map(|copy| copy.display().to_string());
        Ok(self.written(&after, &repaired, copy)?)
    }

    /// Returns the job's result.
    fn written(
        &self,
        report: &CheckReport,
        repaired: &[Fault],
        copy: Option<String>,
    ) -> Result<Value, StorageError> {
        let backups = self.config.backups();
        let remaining = |fault: &Fault| {
            let repairable = self.wiki.backups().can_repair(&backups, fault)?;
            Ok(json!({"place": fault.place, "words": fault.words, "repairable": repairable}))
        };
        let faults: Result<Vec<Value>, StorageError> =
            report.faults.iter().map(remaining).collect();
        let repaired = repaired
            .iter()
            .map(|fault| json!({"place": fault.place, "words": fault.words}));
        let listed = list_backups(&backups)?;
        let proved = listed
            .iter()
            .find(|backup| backup.record.proved_at.is_some());
        Ok(json!({
            "pages": report.pages,
            "revisions": report.revisions,
            "faults": faults?,
            "repaired": repaired.collect::<Vec<Value>>(),
            "copy": copy,
            "last_proved_backup": proved.map(|backup| backup.record.taken_at.to_string()),
        }))
    }
}
