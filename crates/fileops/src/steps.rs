//! The steps of one item in the record.

use super::place::{Folder, Looked, NamedEntry};
use super::record::{OperationId, State, Step};
use super::transfer::{How, Planned};
use super::trash::{self, TrashOf};
use super::tree::Tree;

/// The trash for replaced entries, and the operation that names them there.
#[derive(Clone, Copy)]
pub(super) struct ReplacedTrash<'a> {
    pub(super) id: OperationId,
    /// None if no entry is replaced.
    pub(super) bin: Option<&'a TrashOf>,
}

/// Adds the steps of one item. Returns the names that the replaced entries will have in the trash.
pub(super) fn add_steps(
    steps: &mut Vec<Step>,
    item: &Planned,
    target: &Folder,
    how: How,
    trash: ReplacedTrash<'_>,
) -> Vec<Vec<u8>> {
    let ReplacedTrash { id, bin } = trash;
    let mut names = Vec::new();
    for NamedEntry { name, looked } in &item.replaced {
        let binned = trash::name_for(&id.to_string(), steps.len(), name);
        names.push(binned.clone());
        let bin = bin.expect("BUG: there is a bin where something goes into it");
        steps.push(binned_step(
            target.place(name).absolute(),
            bin,
            binned,
            *looked,
        ));
    }
    for going in &item.names {
        let to = target.place(&going.new).absolute().into();
        let mut state = State::from(going.looked);
        state.tree = item.tree.as_deref().map(Tree::mark);
        steps.push(match how {
            How::Move => Step::Moved {
                from: item.from.entry(&going.old).absolute().into(),
                to,
                state,
            },
            How::Copy => Step::Copied { to, state },
        });
    }
    names
}

/// Creates the step that moves an entry to a trash folder.
pub(super) fn binned_step(from: Vec<u8>, bin: &TrashOf, name: Vec<u8>, looked: Looked) -> Step {
    Step::Trashed {
        from: from.into(),
        bin: bin.path().to_vec().into(),
        name: name.into(),
        state: looked.into(),
    }
}
