//! People and their names, and unsaved text in its three tables.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::check::faults::Faults;
use crate::id::{JournalId, UserId};
use crate::model::journal::JournalHead;
use crate::model::user::User;
use crate::store::{
    Direction, JOURNAL, JOURNAL_KEY, JOURNAL_TEXT, Read, ReadTxn, StorageError, USER, USER_NAME,
};

pub(super) fn check(txn: &ReadTxn, faults: &mut Faults) -> Result<(), StorageError> {
    names(txn, faults)?;
    journals(txn, faults)
}

fn names(txn: &ReadTxn, faults: &mut Faults) -> Result<(), StorageError> {
    let mut names = BTreeMap::new();
    txn.scan::<_, [u8; 16], &str>(USER_NAME, .., Direction::Ascending, |name, id| {
        names.insert(name.to_owned(), id);
        ControlFlow::Continue(())
    })?;
    txn.scan::<_, User, &[u8; 16]>(USER, .., Direction::Ascending, |id, user| {
        let named = names.remove(user.name.as_str());
        faults.expect(
            named == Some(*id) && user.id.to_bytes() == *id,
            "user",
            || format!("{} is not found by their name", user.name),
        );
        ControlFlow::Continue(())
    })?;
    for (name, id) in names {
        let id = UserId::from_bytes(id);
        faults.add(
            "user_name",
            format!("{name} leads to {id}, who has another name or is not there"),
        );
    }
    Ok(())
}

fn journals(txn: &ReadTxn, faults: &mut Faults) -> Result<(), StorageError> {
    let mut keys = BTreeMap::new();
    txn.scan::<_, [u8; 16], (&[u8; 16], &[u8; 16], &str)>(
        JOURNAL_KEY,
        ..,
        Direction::Ascending,
        |(page, user, tab), id| {
            keys.insert(id, (*page, *user, tab.to_owned()));
            ControlFlow::Continue(())
        },
    )?;
    let mut texts = BTreeMap::new();
    txn.scan::<_, String, &[u8; 16]>(JOURNAL_TEXT, .., Direction::Ascending, |id, text| {
        texts.insert(*id, text.len() as u64);
        ControlFlow::Continue(())
    })?;
    txn.scan::<_, JournalHead, &[u8; 16]>(JOURNAL, .., Direction::Ascending, |id, head| {
        let key = (head.page_id.to_bytes(), head.user.to_bytes(), head.tab);
        faults.expect(keys.remove(id) == Some(key), "journal_key", || {
            format!(
                "unsaved text {} is not found by its page, person and tab",
                head.id
            )
        });
        faults.expect(texts.remove(id) == Some(head.size), "journal_text", || {
            format!(
                "unsaved text {} has no text, or one of another length",
                head.id
            )
        });
        ControlFlow::Continue(())
    })?;
    for id in keys.into_keys().chain(texts.into_keys()) {
        let id = JournalId::from_bytes(id);
        faults.add("journal", format!("unsaved text {id} is there in part"));
    }
    Ok(())
}
