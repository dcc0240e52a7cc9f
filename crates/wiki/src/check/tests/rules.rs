//! Breaks every checked rule once: the check reports it in words, and continues.

use super::*;

#[test]
fn broken_revision_rules_are_reported() {
    check(&[
        (
            |sample, txn| {
                put(
                    txn,
                    PAGE_INDEX,
                    &UNKNOWN,
                    &PageIndex::Page(sample.info(txn)),
                )
            },
            "page_index",
            "has the id",
        ),
        (
            |sample, txn| txn.remove(PAGE_SOURCE, (&sample.page, 1)).unwrap(),
            "page_source",
            "has the revisions [2] instead of 1 to 2",
        ),
        (
            |sample, txn| sample.put_info(txn, |info| info.latest = 3),
            "page_source",
            "instead of 1 to 3",
        ),
        (
            |sample, txn| {
                edit(txn, PAGE_SOURCE, (&sample.page, 1), |it| {
                    it.head.revision = 7
                })
            },
            "page_source",
            "has the number 7",
        ),
        (
            |sample, txn| {
                let stray = txn.get(PAGE_SOURCE, (&sample.page, 1)).unwrap().unwrap();
                put(txn, PAGE_SOURCE, (&UNKNOWN, 1), &stray);
            },
            "page_source",
            "which is not a page",
        ),
        (
            |sample, txn| {
                let author = UserId::from_bytes(UNKNOWN);
                edit(txn, PAGE_SOURCE, (&sample.page, 1), |it| {
                    it.head.author = author
                });
            },
            "page_source",
            "unknown user",
        ),
    ]);
}

#[test]
fn broken_path_history_is_reported() {
    check(&[
        (
            |sample, txn| sample.put_info(txn, |info| info.rename_revisions.clear()),
            "page_index",
            "as the revisions that set its path",
        ),
        (
            |sample, txn| {
                edit(txn, PAGE_SOURCE, (&sample.page, 1), |it| {
                    it.head.rename = None;
                });
                sample.put_info(txn, |info| info.rename_revisions = vec![2]);
            },
            "page_source",
            "does not record the page's first path",
        ),
        (
            |sample, txn| {
                edit(txn, PAGE_SOURCE, (&sample.page, 2), |it| {
                    let rename = it.head.rename.as_mut().unwrap();
                    rename.from = Some(path("/elsewhere"));
                });
            },
            "page_source",
            "but the rename before leads to /before",
        ),
        (
            |sample, txn| {
                let (from, to) = (Some(path("/elsewhere")), path("/page"));
                let link_refs = Default::default();
                let moved = RenameInfo {
                    from,
                    to,
                    link_refs,
                };
                put(txn, UNRECORDED_MOVE, &sample.page, &moved);
            },
            "untold_move",
            "but its revisions lead to",
        ),
    ]);
}

#[test]
fn broken_title_rules_are_reported() {
    check(&[
        (
            |sample, txn| put(txn, PAGE_TITLE, &sample.page, &"Another".to_owned()),
            "page_title",
            "but its text has",
        ),
        (
            |_, txn| put(txn, PAGE_TITLE, &UNKNOWN, &"Stray".to_owned()),
            "page_title",
            "has a title but is not a page",
        ),
    ]);
}

#[test]
fn broken_path_rules_are_reported() {
    let stray: Breakage = |sample, txn| put(txn, PAGE_PATH, "/x", &sample.page);
    check(&[
        (stray, "page_path", "/x leads to"),
        (
            |_, txn| txn.remove(PAGE_PATH, "/page").unwrap(),
            "page_path",
            "is missing from the index",
        ),
        (
            |sample, txn| txn.remove(PAGE_INDEX, &sample.page).unwrap(),
            "page_path",
            "/page leads to",
        ),
        (
            |sample, txn| {
                txn.remove(PAGE_PATH, "/").unwrap();
                txn.remove(PAGE_INDEX, &sample.root).unwrap();
            },
            "page_path",
            "no page is at /",
        ),
        (
            |_, txn| txn.insert_id(DELETED_PAGE_PATH, "/x", &UNKNOWN).unwrap(),
            "deleted_page_path",
            "/x leads to",
        ),
        (
            |sample, txn| {
                let stays = |info: &mut PageInfo| {
                    info.path_state = PagePathState::LastDeleted(path("/page"));
                };
                sample.put_info(txn, stays);
            },
            "page_index",
            "is deleted and locked",
        ),
        (
            |sample, txn| txn.remove(DELETION, &sample.deleted).unwrap(),
            "deletion",
            "is deleted without a deletion row",
        ),
        (
            |sample, txn| txn.remove_id(LEFT_PATH, "/before", &sample.page).unwrap(),
            "left_path",
            "is missing from the index",
        ),
        (
            |sample, txn| {
                let twice = |it: &mut FormerPaths| it.paths.push(it.paths[0].clone());
                edit(txn, FORMER_PATHS, &sample.page, twice);
            },
            "former_paths",
            "lists a path twice",
        ),
        (
            |_, txn| put(txn, FORMER_PATHS, &UNKNOWN, &FormerPaths::default()),
            "former_paths",
            "has former paths but is not a page",
        ),
    ]);
}

#[test]
fn broken_lock_rules_are_reported() {
    check(&[
        (
            |sample, txn| txn.remove(LOCK, &sample.token).unwrap(),
            "page_index",
            "is held by a lock that does not exist",
        ),
        (
            |sample, txn| sample.put_info(txn, |info| info.lock_token = None),
            "lock",
            "does not name the lock",
        ),
        (
            |sample, txn| {
                let token = LockToken::from_bytes(UNKNOWN);
                edit(txn, LOCK, &sample.token, |it| it.token = token);
            },
            "lock",
            "under another token",
        ),
        (
            |sample, txn| {
                let user = UserId::from_bytes(UNKNOWN);
                edit(txn, LOCK, &sample.token, |it| it.user = user);
            },
            "lock",
            "unknown user",
        ),
        (
            |sample, txn| {
                edit(txn, LOCK, &sample.token, |it| {
                    it.expire = it.token.timestamp()
                })
            },
            "lock",
            "outside the allowed range",
        ),
        (
            |sample, txn| {
                let days = Duration::from_secs(2 * 24 * 60 * 60);
                edit(txn, LOCK, &sample.token, |it| it.expire += days);
            },
            "lock",
            "outside the allowed range",
        ),
    ]);
}

#[test]
fn broken_link_rules_are_reported() {
    check(&[
        (
            |sample, txn| txn.remove(PAGE_LINKS, &sample.page).unwrap(),
            "page_links",
            "is a page without a row of links",
        ),
        (
            |sample, txn| edit(txn, PAGE_LINKS, &sample.page, |it| it.targets.truncate(1)),
            "page_links",
            "are recorded as",
        ),
        (
            |sample, txn| txn.remove_id(BACKLINK, &sample.root, &sample.page).unwrap(),
            "backlink",
            "disagree on whether",
        ),
        (
            |sample, txn| {
                txn.remove_id(WAITING_LINK, "/nowhere", &sample.page)
                    .unwrap()
            },
            "waiting_link",
            "disagree on whether",
        ),
        (
            |sample, txn| put(txn, PAGE_PATH, "/nowhere", &sample.root),
            "waiting_link",
            "but a page has that path",
        ),
    ]);
}

#[test]
fn broken_file_rules_are_reported() {
    let orphan: Breakage = |sample, txn| {
        let at = sample.clock.now();
        let last_path = path("/page");
        let state = AssetState::Orphaned { at, last_path };
        edit(txn, ASSET, &sample.asset, |it| it.state = state);
    };
    check(&[
        (orphan, "asset", "contradicts its page"),
        (
            |sample, txn| {
                let user = UserId::from_bytes(UNKNOWN);
                edit(txn, ASSET, &sample.asset, |it| it.user = user);
            },
            "asset",
            "unknown user",
        ),
        (
            |sample, txn| put(txn, ASSET_PAGE, &UNKNOWN, &sample.page),
            "asset_page",
            "has a page but no row",
        ),
        (
            |sample, txn| {
                txn.remove_id(PAGE_ASSETS, &sample.page, &sample.asset)
                    .unwrap()
            },
            "page_assets",
            "files disagree",
        ),
        (
            |sample, txn| txn.remove(ASSET_NAME, (&sample.page, "a.txt")).unwrap(),
            "asset_name",
            "disagree on whether",
        ),
        (
            |sample, txn| edit(txn, ASSET, &sample.asset, |it| it.size += 1),
            "asset/",
            "have changed",
        ),
        (
            |sample, txn| edit(txn, ASSET, &sample.asset, |it| it.sha256[0] ^= 1),
            "asset/",
            "have changed",
        ),
        (
            |sample, txn| txn.remove(ASSET, &sample.asset).unwrap(),
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
            "is not found by name",
        ),
        (
            |sample, txn| put(txn, USER_NAME, "Eve", &sample.user),
            "user_name",
            "has another name",
        ),
        (
            |sample, txn| txn.remove(AUTOSAVE_TEXT, &sample.autosave).unwrap(),
            "journal_text",
            "has no text",
        ),
        (
            |sample, txn| edit(txn, AUTOSAVE, &sample.autosave, |it| it.size += 1),
            "journal_text",
            "a text of another length",
        ),
        (
            |sample, txn| {
                txn.remove(AUTOSAVE_KEY, (&sample.page, &sample.user, TAB))
                    .unwrap()
            },
            "journal_key",
            "is not found by its page",
        ),
        (
            |sample, txn| txn.remove(AUTOSAVE, &sample.autosave).unwrap(),
            "journal",
            "is incomplete",
        ),
        (
            |sample, txn| {
                let user = UserId::from_bytes(UNKNOWN);
                edit(txn, AUTOSAVE, &sample.autosave, |it| it.user = user);
            },
            "journal",
            "unknown user",
        ),
        (
            |sample, txn| {
                let end = AutosaveTombstone {
                    revision: 1,
                    seq: 1,
                    ended_at: sample.clock.now(),
                };
                put(txn, AUTOSAVE_TOMBSTONE, (&sample.page, &UNKNOWN, TAB), &end);
            },
            "journal_end",
            "unknown user",
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
                let name = format!("visits/{}", UserId::from_bytes(UNKNOWN));
                put(txn, SETTINGS, name.as_str(), &"[]".to_owned());
            },
            "settings",
            "unknown user",
        ),
        (
            |_, txn| put(txn, SETTINGS, "visits/x", &"[]".to_owned()),
            "settings",
            "contains no user id",
        ),
        (
            |sample, txn| {
                let name = format!("visits/{}", UserId::from_bytes(sample.user));
                put(txn, SETTINGS, name.as_str(), &r#"["x"]"#.to_owned());
            },
            "settings",
            "no page",
        ),
        (
            |_, txn| {
                let name = format!("folders/{}", UserId::from_bytes(UNKNOWN));
                put(txn, SETTINGS, name.as_str(), &"[]".to_owned());
            },
            "settings",
            "unknown user",
        ),
        (
            |sample, txn| {
                let name = format!("folders/{}", UserId::from_bytes(sample.user));
                let row = r#"[{"root": "x", "path": "", "at": "2026-11-20T00:00:00Z"}]"#;
                put(txn, SETTINGS, name.as_str(), &row.to_owned());
            },
            "settings",
            "no root",
        ),
    ]);
}
