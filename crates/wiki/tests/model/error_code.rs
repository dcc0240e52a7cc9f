//! Maps the errors of the real wiki to the names that the model uses.

use fumikura_wiki::*;

pub(crate) type Code = &'static str;

/// A failing disk is not a refusal.
fn storage(error: &StorageError) -> Code {
    panic!("the database failed: {error}")
}

fn of_gate(error: &GateError) -> Code {
    match error {
        GateError::Required { .. } => "lock_required",
        GateError::Invalid => "lock_invalid",
        GateError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_create(error: &CreateError) -> Code {
    match error {
        CreateError::Taken(_) => "path_taken",
        CreateError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_lock(error: &LockError) -> Code {
    match error {
        LockError::PageNotFound => "not_found",
        LockError::Deleted => "deleted",
        LockError::Held { .. } => "locked",
        LockError::Invalid => "lock_invalid",
        LockError::NotHeld => "not_held",
        LockError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_save(error: &SaveError) -> Code {
    match error {
        SaveError::NotFound => "not_found",
        SaveError::Deleted => "deleted",
        SaveError::LockRequired { .. } => "lock_required",
        SaveError::LockInvalid => "lock_invalid",
        SaveError::PreconditionRequired => "precondition_required",
        SaveError::PreconditionFailed(_) => "precondition_failed",
        SaveError::NotAuthor(_) => "not_author",
        SaveError::TooLarge(_) => "too_large",
        SaveError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_rename(error: &RenameError) -> Code {
    match error {
        RenameError::NotFound => "not_found",
        RenameError::NoUser => "no_user",
        RenameError::Draft => "draft",
        RenameError::Deleted => "deleted",
        RenameError::RootProtected => "root_protected",
        RenameError::IntoItself { .. } => "into_itself",
        RenameError::InvalidPath { .. } => "invalid_path",
        RenameError::Taken(_) => "path_taken",
        RenameError::Gate(error) => of_gate(error),
        RenameError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_delete(error: &DeleteError) -> Code {
    match error {
        DeleteError::NotFound => "not_found",
        DeleteError::NoUser => "no_user",
        DeleteError::Deleted => "deleted",
        DeleteError::RootProtected => "root_protected",
        DeleteError::Gate(error) => of_gate(error),
        DeleteError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_restore(error: &RestoreError) -> Code {
    match error {
        RestoreError::NotFound => "not_found",
        RestoreError::Draft => "draft",
        RestoreError::NotDeleted => "not_deleted",
        RestoreError::InvalidPath { .. } => "invalid_path",
        RestoreError::Taken(_) => "path_taken",
        RestoreError::FileNameTaken(_) => "file_name_taken",
        RestoreError::Gate(error) => of_gate(error),
        RestoreError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_history(error: &HistoryError) -> Code {
    match error {
        HistoryError::Page(error) => of_page(error),
        HistoryError::Gate(error) => of_gate(error),
        HistoryError::NoUser => "no_user",
        HistoryError::NothingLeft { .. } => "nothing_kept",
        HistoryError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_autosave(error: &AutosaveError) -> Code {
    match error {
        AutosaveError::Stale { .. } => "stale",
        AutosaveError::Saved { .. } => "saved",
        AutosaveError::Full { .. } => "full",
        AutosaveError::InvalidTab => "invalid_tab",
        AutosaveError::TooLarge(_) => "too_large",
        AutosaveError::NotFound => "not_found",
        AutosaveError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_register(error: &RegisterError) -> Code {
    match error {
        RegisterError::NameTaken(_) => "name_taken",
        RegisterError::Unknown => "no_user",
        RegisterError::Storage(error) => storage(error),
    }
}

pub(crate) fn of_asset(error: &AssetError) -> Code {
    match error {
        AssetError::NotFound => "not_found",
        AssetError::NoSuchName(_) => "no_such_name",
        AssetError::PageNotFound => "page_not_found",
        AssetError::PageDraft => "draft",
        AssetError::PageDeleted => "page_deleted",
        AssetError::Deleted => "deleted",
        AssetError::NotDeleted => "not_deleted",
        AssetError::Orphaned => "orphaned",
        AssetError::NameTaken(_) => "file_name_taken",
        AssetError::TooLarge(_) => "too_large",
        AssetError::FileMissing => "file_missing",
        AssetError::Storage(error) => storage(error),
    }
}

fn of_page(error: &PageError) -> Code {
    match error {
        PageError::NotFound => "not_found",
        PageError::Draft => "draft",
        PageError::NoSuchRevision(_) => "no_revision",
        PageError::Collected(_) => "collected",
        PageError::Deleted(_) => "deleted",
        PageError::Storage(error) => storage(error),
    }
}
