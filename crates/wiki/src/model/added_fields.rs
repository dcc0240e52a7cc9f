//! Fields that a record got after its first version (docs/STORAGE.md, "Adding a field"). None has got one since
//! schema 4, so only tests are built with this module.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The byte before the added fields.
const MARK: u8 = 1;

/// The last field of a record, for fields that were added to it. A row without them ends before; it has the
/// default, and the default is stored as such a row. Fields that are added still later follow within `T`, as
/// its own last field of this type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AddedFields<T>(pub(crate) T);

impl<T: Serialize + Default + PartialEq> Serialize for AddedFields<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == T::default() {
            return serializer.serialize_unit();
        }
        (MARK, &self.0).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for AddedFields<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(2, Fields(PhantomData))
    }
}

struct Fields<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Fields<T> {
    type Value = AddedFields<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the end of the row, or added fields")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<AddedFields<T>, A::Error> {
        // Reading a byte fails only at the end of the row.
        let Ok(Some(mark)) = row.next_element::<u8>() else {
            return Ok(AddedFields::default());
        };
        if mark != MARK {
            return Err(A::Error::custom("unknown mark before added fields"));
        }
        let added = row.next_element()?;
        Ok(AddedFields(
            added.ok_or_else(|| A::Error::custom("no fields"))?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{LockToken, PageId};
    use crate::model::page::{PageIndex, PageInfo, PagePathState};
    use crate::path::PagePath;
    use crate::store::Record;

    /// A page's row of a future version, with the fields of [`PageInfo`] and added ones.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum FutureIndex {
        Page(FutureInfo),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct FutureInfo {
        page_id: PageId,
        path_state: PagePathState,
        latest: u64,
        gc_min: u64,
        lock_token: Option<LockToken>,
        rename_revisions: Vec<u64>,
        added: AddedFields<Added>,
    }

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    struct Added {
        tags: Vec<String>,
        added: AddedFields<AddedLater>,
    }

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    struct AddedLater {
        pinned: bool,
    }

    fn path_state() -> PagePathState {
        PagePathState::Current(PagePath::new("/page").unwrap())
    }

    /// The row of a page of schema 4.
    fn row() -> Vec<u8> {
        let info = PageInfo {
            page_id: PageId::from_bytes([1; 16]),
            path_state: path_state(),
            latest: 3,
            gc_min: 1,
            lock_token: None,
            rename_revisions: vec![1, 2],
        };
        PageIndex::Page(info).encode().unwrap()
    }

    fn future(tags: &[&str], pinned: bool) -> FutureIndex {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        FutureIndex::Page(FutureInfo {
            page_id: PageId::from_bytes([1; 16]),
            path_state: path_state(),
            latest: 3,
            gc_min: 1,
            lock_token: None,
            rename_revisions: vec![1, 2],
            added: AddedFields(Added {
                tags,
                added: AddedFields(AddedLater { pinned }),
            }),
        })
    }

    #[test]
    fn rows_of_the_first_version_have_the_defaults() {
        assert_eq!(FutureIndex::decode_whole(&row()), Ok(future(&[], false)));
        assert_eq!(future(&[], false).encode(), Ok(row()));
    }

    #[test]
    fn added_fields_are_read_as_written() {
        for index in [
            future(&["a", "b"], false),
            future(&[], true),
            future(&["a"], true),
        ] {
            let bytes = index.encode().unwrap();
            assert!(bytes.starts_with(&row()));
            assert_eq!(FutureIndex::decode_whole(&bytes), Ok(index));
        }
    }

    #[test]
    fn row_of_a_later_version_is_refused() {
        let bytes = future(&["a"], false).encode().unwrap();
        let refused = PageIndex::decode_whole(&bytes).unwrap_err();
        assert!(refused.contains("later version"), "{refused}");
        // Its leading fields can still be read.
        assert_eq!(PageIndex::decode(&bytes), PageIndex::decode_whole(&row()));
    }

    #[test]
    fn row_that_is_cut_off_is_an_error() {
        let bytes = future(&["a"], true).encode().unwrap();
        let ends_of_versions = [row().len(), bytes.len() - 2];
        for end in 0..bytes.len() {
            let cut_off = FutureIndex::decode_whole(&bytes[..end]);
            assert_eq!(cut_off.is_ok(), ends_of_versions.contains(&end), "{end}");
        }
    }
}
