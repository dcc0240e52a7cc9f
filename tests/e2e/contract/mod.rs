//! The contract, on both transports: every case is called by HTTP and by the window's command, from the page
//! in the real window. Both must give the table's result, and the same result.

mod add_files;
mod assets;
mod cache;
mod compare;
mod fixture;
mod grants;
mod locks;
mod revisions;
mod step;
mod transport;
mod uploads;

use anyhow::{Context, Result, ensure};
use fumikura_tests::stage::Stage;
use serde_json::Value;

use crate::steps;
use fixture::KnownValues;
use step::Step;
use transport::{Caller, Transport};

pub(crate) use grants::grant_is_valid_once_in_its_window;

/// The size limit of a page's file, in bytes.
const LIMIT: usize = 65_536;

pub(crate) async fn both_transports_keep_the_contract(stage: &mut Stage) -> Result<()> {
    let limit = format!("asset_limit_bytes = {LIMIT}\n");
    stage.home().configure(&limit)?;
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    // Orphaned files are global, so only those of one table may exist: of the first.
    for (name, table) in [
        ("assets", assets::table()),
        ("files", add_files::table()),
        ("cache", cache::table()),
        ("locks", locks::table()),
        ("revisions", revisions::table()),
    ] {
        let mut outcomes = Vec::new();
        for transport in Transport::BOTH {
            let values = fixture::make(&api, &format!("/{name}-{}", transport.name())).await?;
            let caller = Caller::begin(stage, &page, transport, &table).await?;
            let outcome = run(caller, &table, values).await;
            outcomes.push(outcome.with_context(|| format!("{name} by {}", transport.name()))?);
        }
        let [over_http, by_command] = outcomes.as_slice() else {
            anyhow::bail!("BUG: there are two transports");
        };
        for ((step, one), other) in table.iter().zip(over_http).zip(by_command) {
            ensure!(
                one == other,
                "{step} differs:\nover HTTP  {one}\nby command {other}"
            );
        }
    }
    Ok(())
}

/// Runs all of a table's steps on one transport. Returns the answers without the values that differ from run
/// to run.
async fn run(
    mut caller: Caller<'_>,
    table: &[Step],
    mut values: KnownValues,
) -> Result<Vec<Value>> {
    let mut outcomes = Vec::with_capacity(table.len());
    for step in table {
        let arguments = values.filled(step.arguments())?;
        let outcome = caller
            .ask(step.operation(), &arguments)
            .await
            .with_context(|| step.to_string())?;
        step.check(&outcome, &mut values)?;
        outcomes.push(compare::comparable(outcome, values.place()));
    }
    Ok(outcomes)
}
