//! Checks users and their names, their settings, and the tables of autosave entries.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::CheckError;
use crate::check::reader::TableReader;
use crate::id::{AutosaveId, UserId};
use crate::pins::PINS;
use crate::store::{
    AUTOSAVE, AUTOSAVE_KEY, AUTOSAVE_TEXT, AUTOSAVE_TOMBSTONE, SETTINGS, USER, USER_NAME,
};
use crate::visits::VISITS;
use crate::{settings, tree_view, user_pages, visited_folders};

pub(super) struct Users(BTreeSet<[u8; 16]>);

impl Users {
    /// Reads them, and checks that each is found by name.
    pub(super) fn read(reader: &TableReader<'_>) -> Result<Self, CheckError> {
        let mut names = BTreeMap::new();
        reader.rows(USER_NAME, |name, id| {
            names.insert(name.to_owned(), id);
        })?;
        let mut users = BTreeSet::new();
        reader.rows(USER, |id, user| {
            users.insert(*id);
            let owner = names.remove(user.name.as_str());
            let matches = owner == Some(*id) && user.id.to_bytes() == *id;
            reader.faults.expect(matches, "user", || {
                format!("the user {} is not found by name", user.name)
            });
        })?;
        for (name, id) in names {
            let id = UserId::from_bytes(id);
            reader.faults.add(
                "user_name",
                format!("{name} leads to {id}, who has another name or does not exist"),
            );
        }
        Ok(Self(users))
    }

    pub(super) fn has(&self, id: UserId) -> bool {
        self.0.contains(&id.to_bytes())
    }

    /// True if there are no users.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

pub(super) fn check(reader: &TableReader<'_>, users: &Users) -> Result<(), CheckError> {
    reader.rows(SETTINGS, |name, json| {
        let of_pages = VISITS.user_of(name).or_else(|| PINS.user_of(name));
        let of_user = of_pages
            .map(|of| (of, user_pages::decode(&json).map(drop)))
            .or_else(|| {
                let of = visited_folders::user_of(name)?;
                Some((of, visited_folders::decode(&json).map(drop)))
            })
            .or_else(|| {
                let of = tree_view::user_of(name)?;
                let view = tree_view::decode(&json).map(drop);
                Some((of, view.map_err(|error| error.to_string())))
            });
        let readable = match of_user {
            None => settings::decode(&json)
                .map(drop)
                .map_err(|error| error.to_string()),
            Some((Err(()), _)) => Err("its name contains no user id".to_owned()),
            Some((Ok(person), list)) => {
                reader.faults.expect(users.has(person), "settings", || {
                    format!("{name} belongs to an unknown user")
                });
                list
            }
        };
        if let Err(error) = readable {
            reader
                .faults
                .add("settings", format!("{name} can't be read: {error}"));
        }
    })?;
    reader.rows(AUTOSAVE_TOMBSTONE, |(_, user, _), _| {
        let user = UserId::from_bytes(*user);
        reader.faults.expect(users.has(user), "journal_end", || {
            format!("a tombstone belongs to the unknown user {user}")
        });
    })?;
    autosave_entries(reader, users)
}

fn autosave_entries(reader: &TableReader<'_>, users: &Users) -> Result<(), CheckError> {
    let faults = reader.faults;
    let mut keys = BTreeMap::new();
    reader.rows(AUTOSAVE_KEY, |(page, user, tab), id| {
        keys.insert(id, (*page, *user, tab.to_owned()));
    })?;
    let mut texts = BTreeMap::new();
    reader.rows(AUTOSAVE_TEXT, |id, text| {
        texts.insert(*id, text.len() as u64);
    })?;
    reader.rows(AUTOSAVE, |id, head| {
        faults.expect(users.has(head.user), "journal", || {
            format!(
                "autosave entry {} belongs to the unknown user {}",
                head.id, head.user
            )
        });
        let key = (head.page_id.to_bytes(), head.user.to_bytes(), head.tab);
        faults.expect(keys.remove(id) == Some(key), "journal_key", || {
            format!(
                "autosave entry {} is not found by its page, user and tab",
                head.id
            )
        });
        faults.expect(texts.remove(id) == Some(head.size), "journal_text", || {
            format!(
                "autosave entry {} has no text, or a text of another length",
                head.id
            )
        });
    })?;
    for id in keys.into_keys().chain(texts.into_keys()) {
        let id = AutosaveId::from_bytes(id);
        faults.add("journal", format!("autosave entry {id} is incomplete"));
    }
    Ok(())
}
