//! Breaks every checked rule once: the check reports it in words, and continues.

use super::*;

#[test]
fn broken_revision_rules_are_reported() {
    check(&[
        (
            |full, txn| put(txn, PAGE_INDEX, &NOBODY, &PageIndex::Page(full.info(txn))),
            "page_index",
            "says that it is",
        ),
        (
            |full, txn| txn.remove(PAGE_SOURCE, (&full.page, 1)).unwrap(),
            "page_source",
            "has the revisions [2], where 1 to 2 should be",
        ),
        (
            |full, txn| full.put_info(txn, |info| info.latest = 3),
            "page_source",
            "where 1 to 3 should be",
        ),
        (
            |full, txn| edit(txn, PAGE_SOURCE, (&full.page, 1), |it| it.head.revision = 7),
            "page_source",
            "says that it is 7",
        ),
        (
            |full, txn| {
                let stray = txn.get(PAGE_SOURCE, (&full.page, 1)).unwrap().unwrap();
                put(txn, PAGE_SOURCE, (&NOBODY, 1), &stray);
            },
            "page_source",
            "which is no page",
        ),
        (
            |full, txn| {
                let author = UserId::from_bytes(NOBODY);
                edit(txn, PAGE_SOURCE, (&full.page, 1), |it| {
                    it.head.author = author
                });
            },
            "page_source",
            "whom nobody knows",
        ),
    ]);
}

#[test]
fn broken_path_history_is_reported() {
    check(&[
        (
            |full, txn| full.put_info(txn, |info| info.rename_revisions.clear()),
            "page_index",
            "as the revisions of its path",
        ),
        (
            |full, txn| {
                edit(txn, PAGE_SOURCE, (&full.page, 1), |it| {
                    it.head.rename = None;
                });
                full.put_info(txn, |info| info.rename_revisions = vec![2]);
            },
            "page_source",
            "doesn't say where the page began",
        ),
        (
            |full, txn| {
                edit(txn, PAGE_SOURCE, (&full.page, 2), |it| {
                    let rename = it.head.rename.as_mut().unwrap();
                    rename.from = Some(path("/elsewhere"));
                });
            },
            "page_source",
            "where the rename before has it at /before",
        ),
        (
            |full, txn| {
                let (from, to) = (Some(path("/elsewhere")), path("/page"));
                let link_refs = Default::default();
                let moved = RenameInfo {
                    from,
                    to,
                    link_refs,
                };
                put(txn, UNTOLD_MOVE, &full.page, &moved);
            },
            "untold_move",
            "where its revisions have it at",
        ),
    ]);
}

#[test]
fn broken_title_rules_are_reported() {
    check(&[
        (
            |full, txn| put(txn, PAGE_TITLE, &full.page, &"Another".to_owned()),
            "page_title",
            "where its text has",
        ),
        (
            |_, txn| put(txn, PAGE_TITLE, &NOBODY, &"Stray".to_owned()),
            "page_title",
            "has a title and is no page",
        ),
    ]);
}

#[test]
fn broken_path_rules_are_reported() {
    let stray: Break = |full, txn| put(txn, PAGE_PATH, "/x", &full.page);
    check(&[
        (stray, "page_path", "/x leads to"),
        (
            |_, txn| txn.remove(PAGE_PATH, "/page").unwrap(),
            "page_path",
            "but that does not lead to it",
        ),
        (
            |full, txn| txn.remove(PAGE_INDEX, &full.page).unwrap(),
            "page_path",
            "/page leads to",
        ),
        (
            |full, txn| {
                txn.remove(PAGE_PATH, "/").unwrap();
                txn.remove(PAGE_INDEX, &full.root).unwrap();
            },
            "page_path",
            "no page is at /",
        ),
        (
            |_, txn| txn.insert_id(DELETED_PAGE_PATH, "/x", &NOBODY).unwrap(),
            "deleted_page_path",
            "/x leads to",
        ),
        (
            |full, txn| {
                let stays = |info: &mut PageInfo| {
                    info.path_state = PagePathState::LastDeleted(path("/page"));
                };
                full.put_info(txn, stays);
            },
            "page_index",
            "is deleted and locked",
        ),
        (
            |full, txn| txn.remove(DELETION, &full.deleted).unwrap(),
            "deletion",
            "is deleted and has no row",
        ),
        (
            |full, txn| txn.remove_id(LEFT_PATH, "/before", &full.page).unwrap(),
            "left_path",
            "but that does not lead to it",
        ),
        (
            |full, txn| {
                let twice = |it: &mut FormerPaths| it.paths.push(it.paths[0].clone());
                edit(txn, FORMER_PATHS, &full.page, twice);
            },
            "former_paths",
            "names a path twice",
        ),
        (
            |_, txn| put(txn, FORMER_PATHS, &NOBODY, &FormerPaths::default()),
            "former_paths",
            "left paths and is no page",
        ),
    ]);
}

#[test]
fn broken_lock_rules_are_reported() {
    check(&[
        (
            |full, txn| txn.remove(LOCK, &full.token).unwrap(),
            "page_index",
            "is held by a lock that is not there",
        ),
        (
            |full, txn| full.put_info(txn, |info| info.lock_token = None),
            "lock",
            "which does not say so",
        ),
        (
            |full, txn| {
                let token = LockToken::from_bytes(NOBODY);
                edit(txn, LOCK, &full.token, |it| it.token = token);
            },
            "lock",
            "under another token",
        ),
        (
            |full, txn| {
                let user = UserId::from_bytes(NOBODY);
                edit(txn, LOCK, &full.token, |it| it.user = user);
            },
            "lock",
            "whom nobody knows",
        ),
        (
            |full, txn| {
                edit(txn, LOCK, &full.token, |it| {
                    it.expire = it.token.timestamp()
                })
            },
            "lock",
            "which no lock does",
        ),
        (
            |full, txn| {
                let days = Duration::from_secs(2 * 24 * 60 * 60);
                edit(txn, LOCK, &full.token, |it| it.expire += days);
            },
            "lock",
            "which no lock does",
        ),
    ]);
}

#[test]
fn broken_link_rules_are_reported() {
    check(&[
        (
            |full, txn| txn.remove(PAGE_LINKS, &full.page).unwrap(),
            "page_links",
            "is one and has no row",
        ),
        (
            |full, txn| edit(txn, PAGE_LINKS, &full.page, |it| it.targets.truncate(1)),
            "page_links",
            "is noted to link to",
        ),
        (
            |full, txn| txn.remove_id(BACKLINK, &full.root, &full.page).unwrap(),
            "backlink",
            "only one side knows",
        ),
        (
            |full, txn| txn.remove_id(WAITING_LINK, "/nowhere", &full.page).unwrap(),
            "waiting_link",
            "only one side knows",
        ),
        (
            |full, txn| put(txn, PAGE_PATH, "/nowhere", &full.root),
            "waiting_link",
            "where a page stands",
        ),
    ]);
}

#[test]
fn broken_file_rules_are_reported() {
    let orphan: Break = |full, txn| {
        let at = full.clock.now();
        let last_path = path("/page");
        let state = AssetState::Orphaned { at, last_path };
        edit(txn, ASSET, &full.asset, |it| it.state = state);
    };
    check(&[
        (orphan, "asset", "does not fit its page"),
        (
            |full, txn| {
                let user = UserId::from_bytes(NOBODY);
                edit(txn, ASSET, &full.asset, |it| it.user = user);
            },
            "asset",
            "whom nobody knows",
        ),
        (
            |full, txn| put(txn, ASSET_PAGE, &NOBODY, &full.page),
            "asset_page",
            "has a page and no row",
        ),
        (
            |full, txn| txn.remove_id(PAGE_ASSETS, &full.page, &full.asset).unwrap(),
            "page_assets",
            "are not the same",
        ),
        (
            |full, txn| txn.remove(ASSET_NAME, (&full.page, "a.txt")).unwrap(),
            "asset_name",
            "only one side knows",
        ),
        (
            |full, txn| edit(txn, ASSET, &full.asset, |it| it.size += 1),
            "asset/",
            "is not what it was",
        ),
        (
            |full, txn| edit(txn, ASSET, &full.asset, |it| it.sha256[0] ^= 1),
            "asset/",
            "is not what it was",
        ),
        (
            |full, txn| txn.remove(ASSET, &full.asset).unwrap(),
            "asset/",
            "has no row",
        ),
    ]);
}

#[test]
fn broken_user_and_autosave_rules_are_reported() {
    check(&[
        (
            |_, txn| txn.remove(USER_NAME, "Aya").unwrap(),
            "user",
            "is not found by their name",
        ),
        (
            |full, txn| put(txn, USER_NAME, "Eve", &full.person),
            "user_name",
            "has another name",
        ),
        (
            |full, txn| txn.remove(JOURNAL_TEXT, &full.journal).unwrap(),
            "journal_text",
            "has no text",
        ),
        (
            |full, txn| edit(txn, JOURNAL, &full.journal, |it| it.size += 1),
            "journal_text",
            "one of another length",
        ),
        (
            |full, txn| {
                txn.remove(JOURNAL_KEY, (&full.page, &full.person, TAB))
                    .unwrap()
            },
            "journal_key",
            "is not found by its page",
        ),
        (
            |full, txn| txn.remove(JOURNAL, &full.journal).unwrap(),
            "journal",
            "is there in part",
        ),
        (
            |full, txn| {
                let user = UserId::from_bytes(NOBODY);
                edit(txn, JOURNAL, &full.journal, |it| it.user = user);
            },
            "journal",
            "whom nobody knows",
        ),
        (
            |full, txn| {
                let end = JournalEnd {
                    revision: 1,
                    seq: 1,
                    ended_at: full.clock.now(),
                };
                put(txn, JOURNAL_END, (&full.page, &NOBODY, TAB), &end);
            },
            "journal_end",
            "whom nobody knows",
        ),
    ]);
}

#[test]
fn broken_settings_and_visits_are_reported() {
    check(&[
        (
            |_, txn| put(txn, SETTINGS, "settings", &"{".to_owned()),
            "settings",
            "can't be read",
        ),
        (
            |_, txn| {
                let name = format!("visits/{}", UserId::from_bytes(NOBODY));
                put(txn, SETTINGS, name.as_str(), &"[]".to_owned());
            },
            "settings",
            "whom nobody knows",
        ),
        (
            |_, txn| put(txn, SETTINGS, "visits/x", &"[]".to_owned()),
            "settings",
            "names nobody",
        ),
        (
            |full, txn| {
                let name = format!("visits/{}", UserId::from_bytes(full.person));
                put(txn, SETTINGS, name.as_str(), &r#"["x"]"#.to_owned());
            },
            "settings",
            "no page",
        ),
        (
            |_, txn| {
                let name = format!("folders/{}", UserId::from_bytes(NOBODY));
                put(txn, SETTINGS, name.as_str(), &"[]".to_owned());
            },
            "settings",
            "whom nobody knows",
        ),
        (
            |full, txn| {
                let name = format!("folders/{}", UserId::from_bytes(full.person));
                let row = r#"[{"root": "x", "path": "", "at": "2026-11-20T00:00:00Z"}]"#;
                put(txn, SETTINGS, name.as_str(), &row.to_owned());
            },
            "settings",
            "no root",
        ),
    ]);
}
