//! Expiry of the cache (docs/spec/ttl.md): policies, runs, and the cache's contents by group and age.

mod failures;

use std::sync::Arc;

use fumikura_expiry::{Collection, Expiry, ExpiryError, Preview, Run, StoredPolicies, Trigger};
use fumikura_fs::RootId;
use fumikura_ttl::{AGES, Amount, Counts, GroupUsage, Policy, Remover, UncheckedPolicy};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::job_runner::JobRunner;
use crate::jobs::{JobKind, JobOutcome, Progress, StartedJob};
use crate::names::name_in_json;

use failures::TtlFailure;

/// The policy of a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RootTtlPolicy {
    /// True if artifacts expire.
    enabled: bool,
    /// Days of 86,400 seconds, 1 to 3650.
    ttl_days: u32,
    /// True if every run removes thumbnails of missing pictures.
    remove_gone: bool,
    /// True if it is the default policy.
    is_default: bool,
}

impl RootTtlPolicy {
    fn new(policy: Policy, is_default: bool) -> Self {
        Self {
            enabled: policy.is_enabled(),
            ttl_days: policy.ttl_days(),
            remove_gone: policy.removes_gone(),
            is_default,
        }
    }
}

/// The state of the cache's expiry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TtlState {
    /// Artifacts that are being removed.
    counts: Counts,
    /// The last runs, newest first.
    runs: Vec<Run>,
    /// The last evictions, newest first.
    collections: Vec<Collection>,
    /// The artifacts removed since the start because they had expired.
    removed: Amount,
    /// The number of cleanup workers; with 0 nothing is removed.
    workers: usize,
    /// True if the index has all artifacts of the cache. It is rebuilt after a loss.
    complete: bool,
    /// The time until which nothing expires because the clock has jumped.
    clock_jumped_until: Option<Timestamp>,
    /// The time of the last run that succeeded.
    last_success: Option<Timestamp>,
    /// True if no run has succeeded for three days.
    overdue: bool,
    /// The policy of groups without one of their own.
    #[schema(value_type = UncheckedPolicy)]
    default: Policy,
    groups: Vec<TtlGroup>,
    /// The artifacts by the time of their last read.
    ages: Vec<TtlAge>,
    /// Removals that failed, at most 100.
    failures: Vec<TtlFailure>,
    regrets: TtlRegrets,
}

/// The artifacts of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct TtlGroup {
    /// The id of a root; `assets` for files of pages, `unknown` for thumbnails that no folder index names.
    group: String,
    /// The path of the root's folder; null without a root, or if the root is closed.
    path: Option<String>,
    /// True if the root's folder can't be reached, or is empty: a disk may not be mounted. Nothing of it expires.
    away: bool,
    #[schema(value_type = UncheckedPolicy)]
    policy: Policy,
    /// True if it follows the default policy.
    is_default: bool,
    /// Thumbnails.
    blobs: Amount,
    /// Folder indexes.
    manifests: Amount,
}

/// The artifacts whose last read was within a range of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
struct TtlAge {
    /// The upper bound of the age in days, exclusive; the preceding item's bound is the lower one. Null for
    /// all older artifacts.
    days: Option<u32>,
    artifacts: u64,
    bytes: u64,
}

/// Artifacts that were made again within 30 days after their removal, since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
struct TtlRegrets {
    /// Removed by eviction. A large number means that the limit is too small.
    evicted: u64,
    /// Removed because they had expired. A large number means that the time is too short.
    expired: u64,
}

/// Returns the state of the cache's expiry.
///
/// # Errors
/// `settings_damaged` if the policies can't be read.
pub(crate) async fn ttl_state(expiry: &Arc<Expiry>) -> Result<TtlState, ErrorBody> {
    Ok(blocking(expiry, state).await?)
}

/// Returns the policy of a root, or the default one.
///
/// # Errors
/// `root_not_found`, `storage_failed`.
pub(crate) async fn ttl_policy(
    expiry: &Arc<Expiry>,
    root: Option<RootId>,
) -> Result<RootTtlPolicy, ErrorBody> {
    let read = move |expiry: &Expiry| {
        let policies = expiry.policies().read()?;
        let Some(root) = root else {
            return Ok(RootTtlPolicy::new(policies.default, true));
        };
        check_root(expiry, root)?;
        Ok(of_root(&policies, &root.to_string()))
    };
    Ok(blocking(expiry, read).await?)
}

/// Gives a root a policy of its own, or changes the default one. Nothing is removed before the next run.
///
/// # Errors
/// `root_not_found`, `invalid_value`, `storage_failed`.
pub(crate) async fn set_ttl_policy(
    expiry: &Arc<Expiry>,
    root: Option<RootId>,
    policy: UncheckedPolicy,
) -> Result<RootTtlPolicy, ErrorBody> {
    let change = move |expiry: &Expiry| {
        let checked = Policy::try_from(policy)
            .map_err(|error| ApiError::new(ErrorCode::InvalidValue, error))?;
        if let Some(root) = root {
            check_root(expiry, root)?;
        }
        expiry.policies().change(|policies| match root {
            Some(root) => {
                policies.roots.insert(root.to_string(), checked);
            }
            None => policies.default = checked,
        })?;
        Ok(RootTtlPolicy::new(checked, root.is_none()))
    };
    Ok(blocking(expiry, change).await?)
}

/// Removes a root's own policy, so that the default one applies.
///
/// # Errors
/// `root_not_found`, `storage_failed`.
pub(crate) async fn reset_ttl_policy(expiry: &Arc<Expiry>, root: RootId) -> Result<(), ErrorBody> {
    let change = move |expiry: &Expiry| {
        check_root(expiry, root)?;
        expiry.policies().change(|policies| {
            policies.roots.remove(&root.to_string());
        })?;
        Ok(())
    };
    Ok(blocking(expiry, change).await?)
}

fn check_root(expiry: &Expiry, root: RootId) -> Result<(), ApiError> {
    let open_root = expiry.roots().get(root);
    let unknown = || fumikura_fs::AccessError::RootNotFound(root).into();
    open_root.map(drop).ok_or_else(unknown)
}

/// Returns the artifacts that would expire now: with a number of days, in a root or in all groups that
/// follow the default policy; without a number, by a run with the current policies.
///
/// # Errors
/// `invalid_value`, `root_not_found`, `storage_failed`; `bad_request` for a root without a number of
/// days.
pub(crate) async fn ttl_preview(
    expiry: &Arc<Expiry>,
    root: Option<RootId>,
    ttl_days: Option<u32>,
) -> Result<Amount, ErrorBody> {
    let preview = move |expiry: &Expiry| {
        let days = ttl_days.map(|days| Policy::new(true, days)).transpose();
        days.map_err(|error| ApiError::new(ErrorCode::InvalidValue, error))?;
        if let Some(root) = root {
            check_root(expiry, root)?;
        }
        let group = root.map(|root| root.to_string());
        let of = match (&group, ttl_days) {
            (Some(group), Some(days)) => Preview::Group(group, days),
            (None, Some(days)) => Preview::Default(days),
            (None, None) => Preview::Run,
            (Some(_), None) => {
                let words = "a root is previewed with a number of days";
                return Err(ApiError::new(ErrorCode::BadRequest, words));
            }
        };
        Ok(expiry.preview(of)?)
    };
    Ok(blocking(expiry, preview).await?)
}

/// Starts a job that marks and removes expired artifacts, and returns its id. If one is running already,
/// returns that one's.
pub(crate) fn ttl_run(expiry: &Arc<Expiry>, runner: &Arc<JobRunner>) -> StartedJob {
    let expiry = Arc::clone(expiry);
    StartedJob {
        id: runner.start(JobKind::TtlRun, move |progress| run(&expiry, progress)),
    }
}

/// Retries one failed removal, or all, immediately.
///
/// # Errors
/// `bad_request` if the key is invalid.
pub(crate) fn ttl_retry(expiry: &Expiry, key: Option<&str>) -> Result<(), ApiError> {
    let key = key.map(failures::read_key).transpose()?;
    expiry.retry(key.as_ref());
    Ok(())
}

fn state(expiry: &Expiry) -> Result<TtlState, ApiError> {
    let policies = expiry.policies().read()?;
    let roots = expiry.roots().list();
    let unavailable = expiry.unavailable_groups(&roots);
    let (report, failures) = (expiry.report(), expiry.index().failures());
    let mut usages: Vec<_> = report.groups;
    // Roots without cached artifacts have policies, too.
    for root in &roots {
        let group = root.root.id().to_string();
        if !usages.iter().any(|usage| *usage.group == *group) {
            usages.push(GroupUsage {
                group: group.into(),
                blobs: Amount::default(),
                manifests: Amount::default(),
            });
        }
    }
    let group = |usage: GroupUsage| {
        let root = roots
            .iter()
            .find(|root| root.root.id().to_string() == *usage.group);
        let group = &*usage.group;
        TtlGroup {
            path: root.map(|root| name_in_json(root.root.path_bytes()).0),
            away: root.is_some_and(|root| {
                // An empty folder without artifacts is just empty.
                !root.available || usage.artifacts() > 0 && unavailable.contains(group)
            }),
            group: usage.group.to_string(),
            policy: policies.of(group),
            is_default: !policies.roots.contains_key(group),
            blobs: usage.blobs,
            manifests: usage.manifests,
        }
    };
    let remembered = expiry.state();
    let (artifacts, bytes) = expiry.removed();
    let ages = AGES.iter().zip(report.ages);
    Ok(TtlState {
        counts: report.counts,
        runs: remembered.runs,
        collections: remembered.collections,
        removed: Amount { artifacts, bytes },
        workers: expiry.workers(),
        complete: expiry.is_complete(),
        clock_jumped_until: expiry.clock_jump().map(|clock_jump| clock_jump.until),
        last_success: expiry.last_success(),
        overdue: expiry.is_overdue(),
        default: policies.default,
        groups: usages.into_iter().map(group).collect(),
        ages: ages
            .map(|(days, amount)| TtlAge {
                days: *days,
                artifacts: amount.artifacts,
                bytes: amount.bytes,
            })
            .collect(),
        failures: failures::list_failures(expiry, failures),
        regrets: TtlRegrets {
            evicted: expiry.regenerated(Remover::Eviction),
            expired: expiry.regenerated(Remover::Expiry),
        },
    })
}

fn of_root(policies: &StoredPolicies, group: &str) -> RootTtlPolicy {
    let is_default = !policies.roots.contains_key(group);
    RootTtlPolicy::new(policies.of(group), is_default)
}

/// Marks expired artifacts, and removes until no more can be removed.
fn run(expiry: &Expiry, progress: &Progress) -> JobOutcome {
    let (artifacts, bytes) = expiry.removed();
    let run = expiry.mark_expired(Trigger::Request, &|| progress.advance(0, 0).is_ok())?;
    let total = expiry.index().queued() as u64;
    if expiry.workers() > 0 {
        loop {
            let left = expiry.index().queued() as u64;
            progress.advance(total.saturating_sub(left), total)?;
            if expiry.clean_up_some() == 0 {
                break;
            }
        }
    }
    let (artifacts_now, bytes_now) = expiry.removed();
    let counts = expiry.report().counts;
    expiry.flush().map_err(ExpiryError::IndexUnwritable)?;
    Ok(json!({
        "marked_blobs": run.marked_blobs,
        "marked_manifests": run.marked_manifests,
        "marked_gone": run.marked_gone,
        "artifacts": artifacts_now - artifacts,
        "bytes": bytes_now - bytes,
        "counts": counts,
    }))
}
