//! The steps of one item in the record.

use super::folder::{EntryStatus, Folder, NamedEntry};
use super::record::{OperationId, RecordedState, Step};
use super::transfer::{PlannedItem, TransferKind};
use super::trash::{self, FolderTrash};
use super::tree::Tree;

/// The trash for replaced entries, and the operation that names them there.
#[derive(Clone, Copy)]
pub(super) struct ReplacedTrash<'a> {
    pub(super) id: OperationId,
    /// `None` if no entry is replaced.
    pub(super) trash: Option<&'a FolderTrash>,
}

/// Adds the steps of one item. Returns the names that the replaced entries will have in the trash.
pub(super) fn add_steps(
    steps: &mut Vec<Step>,
    item: &PlannedItem,
    target: &Folder,
    kind: TransferKind,
    replaced: ReplacedTrash<'_>,
) -> Vec<Vec<u8>> {
    let ReplacedTrash { id, trash } = replaced;
    let mut names = Vec::new();
    for NamedEntry { name, status } in &item.replaced {
        let trash_name = trash::name_for(&id.to_string(), steps.len(), name);
        names.push(trash_name.clone());
        let trash = trash.expect("BUG: entries are replaced only with a trash");
        steps.push(trash_step(
            target.source_of(name).absolute(),
            trash,
            trash_name,
            *status,
        ));
    }
    for change in &item.names {
        let to = target.source_of(&change.new).absolute().into();
        let mut state = RecordedState::from(change.status);
        state.tree = item.tree.as_deref().map(Tree::mark);
        steps.push(match kind {
            TransferKind::Move => Step::Moved {
                from: item.from.entry(&change.old).absolute().into(),
                to,
                state,
            },
            TransferKind::Copy => Step::Copied { to, state },
        });
    }
    names
}

/// Creates the step that moves an entry to a trash folder.
pub(super) fn trash_step(
    from: Vec<u8>,
    trash: &FolderTrash,
    name: Vec<u8>,
    status: EntryStatus,
) -> Step {
    Step::Trashed {
        from: from.into(),
        bin: trash.path().to_vec().into(),
        name: name.into(),
        state: status.into(),
    }
}
