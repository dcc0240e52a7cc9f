//! Files that belong to pages: their rows, their contents in the asset folder, and what becomes of
//! them when their pages are deleted (wiki.md §11.5, §15).

mod files;
mod with_page;

pub(crate) use files::AssetFiles;
pub(crate) use with_page::{
    NameInTheWay, delete_with_page, orphan, remove_of_draft, restore_with_page,
};
