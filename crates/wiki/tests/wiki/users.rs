//! Registration, names and settings.

use fumikura_wiki::*;

use crate::support::{TestWiki, name, path};

#[test]
fn only_the_first_registration_creates_the_root_page() {
    let test = TestWiki::new();
    let root = test.wiki.pages().resolve(&PagePath::root()).unwrap();
    assert_eq!(root.revision, 1);
    assert!(test.text(root.id).starts_with("# Welcome"));
    test.advance(1);
    let registered = test
        .wiki
        .users()
        .register(name("Chie"), Template::Ja)
        .unwrap();
    assert_eq!(registered.root_page, None);
    assert_eq!(test.wiki.pages().resolve(&PagePath::root()).unwrap(), root);
    let names: Vec<String> = test
        .wiki
        .users()
        .all()
        .unwrap()
        .iter()
        .map(|user| user.name.to_string())
        .collect();
    assert_eq!(names, ["Aya", "Ben", "Chie"]);
}

#[test]
fn registration_order_survives_clock_changes() {
    let test = TestWiki::new();
    let put_back = std::time::Duration::from_secs(86_400);
    for user in ["Chie", "Dai", "Emi"] {
        test.clock.put_back(put_back);
        test.wiki
            .users()
            .register(name(user), Template::En)
            .unwrap();
    }
    let users = test.wiki.users().all().unwrap();
    let names: Vec<&str> = users.iter().map(|user| user.name.as_str()).collect();
    assert_eq!(names, ["Aya", "Ben", "Chie", "Dai", "Emi"]);
}

#[test]
fn names_are_unique_and_can_be_changed() {
    let test = TestWiki::new();
    assert!(matches!(
        test.wiki.users().register(name("Ben"), Template::En),
        Err(RegisterError::NameTaken(_))
    ));
    assert!(matches!(
        test.wiki.users().rename(test.aya, name("Ben")),
        Err(RegisterError::NameTaken(_))
    ));
    test.wiki.users().rename(test.aya, name("Aya")).unwrap();
    test.wiki.users().rename(test.aya, name("あや")).unwrap();
    assert!(test.wiki.users().named(&name("Aya")).unwrap().is_none());
    assert_eq!(
        test.wiki.users().named(&name("あや")).unwrap().unwrap().id,
        test.aya
    );
}

#[test]
fn renaming_a_user_keeps_names_in_revisions() {
    let test = TestWiki::new();
    let id = test.page("/a", "one");
    test.wiki.users().rename(test.aya, name("あや")).unwrap();
    test.wiki
        .pages()
        .save(test.by_version(id, 1, 0, "two"))
        .unwrap();
    let author = |rev| {
        test.wiki
            .pages()
            .meta(id, Some(rev))
            .unwrap()
            .revision
            .unwrap()
            .user_name
    };
    assert_eq!(
        (author(1), author(2)),
        ("Aya".to_owned(), "あや".to_owned())
    );
}

#[test]
fn settings_survive_restarts_and_refused_changes() {
    let test = TestWiki::new();
    test.wiki
        .change_settings::<StorageError>(|settings| {
            settings.language = Language::Ja;
            Ok(())
        })
        .unwrap();
    let test = test.reopen();
    let refused = test.wiki.change_settings(|settings| {
        settings.theme = Theme::Dark;
        Err(StorageError::Damaged {
            table: "test",
            reason: String::new(),
        })
    });
    assert!(refused.is_err());
    let settings = test.wiki.settings().unwrap();
    assert_eq!(
        (settings.language, settings.theme),
        (Language::Ja, Theme::System)
    );
}

#[test]
fn path_without_a_page_is_not_found() {
    let test = TestWiki::new();
    assert!(matches!(
        test.wiki.pages().resolve(&path("/nothing")),
        Err(ResolveError::NotFound(_))
    ));
}
