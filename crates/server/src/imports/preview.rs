//! The preview of an import.

use std::collections::BTreeMap;

use fumikura_wiki::{AssetAction, MigrationPlan, MigrationRequest, PageAction};
use serde::Serialize;
use utoipa::ToSchema;

use super::{PreparedImport, wire_name};

/// The maximum number of items in each list.
const MAX_ITEMS: usize = 100;

/// The effect that an import would have.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportPreview {
    /// Runs the import.
    id: String,
    /// The format of the source: `obsidian`, `markdown`, `joplin`, `zim`, `tiddly_wiki`, `evernote`, `notion`, `html`.
    format: String,
    /// The path of the source.
    source: String,
    /// The page below which its pages are put.
    into: String,
    counts: PreviewCounts,
    /// The first pages that would be created or changed.
    pages: Vec<PreviewPage>,
    /// The pages that would stay although their source has changed: the first hundred.
    kept: Vec<PreviewPage>,
    /// The first files and items that are left out.
    skipped: Vec<PreviewSkipped>,
    /// The numbers of entries that are left out, by reason.
    skipped_by_reason: BTreeMap<String, u64>,
    /// The numbers of constructs that need a look, by kind.
    losses: BTreeMap<String, u64>,
}

/// The numbers of a preview.
#[derive(Debug, Default, Serialize, ToSchema)]
struct PreviewCounts {
    created: u64,
    updated: u64,
    unchanged: u64,
    kept: u64,
    /// Pages whose names are not those of their notes: they were invalid, or taken.
    renamed: u64,
    /// Files to attach.
    files: u64,
    /// Files that an earlier import attached. They are replaced if their contents differ.
    earlier_files: u64,
    skipped: u64,
}

/// A page of a preview.
#[derive(Debug, Serialize, ToSchema)]
struct PreviewPage {
    path: String,
    /// Its note in the source.
    origin: String,
    /// `create`, `update`, `changed_here`, `deleted_here`, `locked`.
    action: &'static str,
}

/// An entry that is left out.
#[derive(Debug, Serialize, ToSchema)]
struct PreviewSkipped {
    origin: String,
    reason: String,
}

impl ImportPreview {
    pub(super) fn new(
        id: String,
        (prepared, request): (&PreparedImport, &MigrationRequest),
        plan: &MigrationPlan,
    ) -> Self {
        let source = &prepared.source;
        let mut counts = PreviewCounts {
            skipped: source.skipped.len() as u64,
            ..PreviewCounts::default()
        };
        let (mut pages, mut kept) = (Vec::new(), Vec::new());
        for (page, incoming) in plan.pages.iter().zip(&prepared.pages) {
            counts.renamed += u64::from(page.renamed);
            let (count, list, action) = match page.action {
                PageAction::Create => (&mut counts.created, Some(&mut pages), "create"),
                PageAction::Update => (&mut counts.updated, Some(&mut pages), "update"),
                PageAction::Unchanged => (&mut counts.unchanged, None, "unchanged"),
                PageAction::ChangedHere => (&mut counts.kept, Some(&mut kept), "changed_here"),
                PageAction::DeletedHere => (&mut counts.kept, Some(&mut kept), "deleted_here"),
                PageAction::Locked => (&mut counts.kept, Some(&mut kept), "locked"),
            };
            *count += 1;
            if let Some(list) = list.filter(|list| list.len() < MAX_ITEMS) {
                list.push(PreviewPage {
                    path: page.path.to_string(),
                    origin: incoming.origin.clone(),
                    action,
                });
            }
        }
        for asset in &plan.assets {
            match asset.action {
                AssetAction::Attach => counts.files += 1,
                AssetAction::Compare | AssetAction::Kept => counts.earlier_files += 1,
            }
        }
        let mut skipped_by_reason = BTreeMap::new();
        for skipped in &source.skipped {
            *skipped_by_reason
                .entry(wire_name(&skipped.reason))
                .or_default() += 1;
        }
        let mut losses = BTreeMap::new();
        for loss in source.notes.iter().flat_map(|note| &note.losses) {
            *losses.entry(wire_name(&loss.kind)).or_default() += 1;
        }
        let skipped = source.skipped.iter().take(MAX_ITEMS);
        Self {
            id,
            format: request.format.clone(),
            source: request.source.clone(),
            into: request.into.to_string(),
            counts,
            pages,
            kept,
            skipped: skipped
                .map(|skipped| PreviewSkipped {
                    origin: skipped.origin.clone(),
                    reason: wire_name(&skipped.reason),
                })
                .collect(),
            skipped_by_reason,
            losses,
        }
    }
}
