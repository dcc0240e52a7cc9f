//! `ttl_*`: the operations of `/api/ttl`.

use fumikura_server::{ErrorBody, RootTtlPolicy, StartedJob, TtlPolicyGet, TtlPolicySet};
use tauri::State;

use super::args::Args;
use crate::house::House;

#[tauri::command]
pub(crate) async fn ttl_policy_get(
    house: State<'_, House>,
    args: Args<TtlPolicyGet>,
) -> Result<RootTtlPolicy, ErrorBody> {
    house.app().ttl_policy(args.0.root).await
}

#[tauri::command]
pub(crate) async fn ttl_policy_set(
    house: State<'_, House>,
    args: Args<TtlPolicySet>,
) -> Result<RootTtlPolicy, ErrorBody> {
    let TtlPolicySet { root, policy } = args.0;
    house.app().set_ttl_policy(root, policy).await
}

#[tauri::command]
pub(crate) async fn ttl_run(house: State<'_, House>) -> Result<StartedJob, ErrorBody> {
    Ok(house.app().ttl_run())
}
