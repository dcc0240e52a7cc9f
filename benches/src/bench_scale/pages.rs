//! Pages with many revisions each.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Result, ensure};
use fumikura_tests::generator::{Generator, HUB};
use fumikura_tests::writer::Writer;
use fumikura_wiki::{BackupCause, BackupRequest, PageId, PagePath, Wording};
use jiff::tz::TimeZone;

use crate::Costs;

/// The number of pages that are requested of a search or a list.
const LIMIT: usize = 20;

/// Grows the wiki in a folder to this number of pages, and measures it.
pub(crate) fn measure(
    folder: &Path,
    pages: usize,
    revisions: usize,
    rounds: usize,
) -> Result<Costs> {
    let data = folder.join("wiki");
    let writer = Writer::open(&data)?;
    grow(&writer, pages, revisions)?;
    let mut costs = Costs::default();
    let generator = Generator::new(pages as u64);
    let any = || page(&writer, &Generator::path(generator.below(pages)));
    let wiki = writer.wiki();
    costs.measure("save of a page", rounds, |_| {
        let number = generator.below(pages);
        let request = writer.request(
            page(&writer, &Generator::path(number))?,
            generator.text(number),
        );
        Ok(wiki.pages().save(request)?)
    })?;
    costs.measure("read of a page", rounds, |_| {
        Ok(wiki.pages().source(any()?, None)?)
    })?;
    costs.measure("history of a page", rounds, |_| {
        Ok(wiki.revisions().history(any()?, Wording::En, None)?)
    })?;
    costs.measure("backlinks of a page", rounds, |_| {
        Ok(wiki.links().backlinks(any()?, None, LIMIT)?)
    })?;
    let hub = page(&writer, HUB)?;
    costs.measure("backlinks of a page with many", rounds, |_| {
        Ok(wiki.links().backlinks(hub, None, LIMIT)?)
    })?;
    costs.measure("search by title, two words", rounds.min(20), |_| {
        Ok(wiki.search().find("winter lantern", LIMIT)?)
    })?;
    let backups = folder.join(format!("backups-{pages}"));
    costs.measure("backup", 3, |_| {
        let request = BackupRequest {
            backups: &backups,
            cause: BackupCause::Schedule,
            add: &|_| Ok(()),
            zone: TimeZone::UTC,
        };
        let made = wiki
            .backups()
            .make(&request, &mut |_, _| ControlFlow::Continue(()))?;
        ensure!(made.record.proved_at.is_some(), "{:?}", made.record.faults);
        Ok(())
    })?;
    drop(writer);
    std::fs::remove_dir_all(&backups)?;
    costs.measure("start", 5, |_| Writer::open(&data))?;
    Ok(costs)
}

/// Creates the missing pages, each with this number of revisions.
fn grow(writer: &Writer, pages: usize, revisions: usize) -> Result<()> {
    let made = (0..pages)
        .rev()
        .find(|number| page(writer, &Generator::path(*number)).is_ok());
    let missing = made.map_or(0, |last| last + 1)..pages;
    writer.grow(missing.clone())?;
    let generator = Generator::new(missing.end as u64);
    for _ in 1..revisions {
        for number in missing.clone() {
            let page = page(writer, &Generator::path(number))?;
            let request = writer.request(page, generator.text(number));
            writer.wiki().pages().save(request)?;
        }
    }
    Ok(())
}

fn page(writer: &Writer, path: &str) -> Result<PageId> {
    Ok(writer.wiki().pages().resolve(&PagePath::new(path)?)?.id)
}
