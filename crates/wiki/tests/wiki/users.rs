//! Registration, names and settings.

use fumikura_wiki::*;

use crate::support::{Bench, name, path};

#[test]
fn only_the_first_registration_creates_the_root_page() {
    let bench = Bench::new();
    let root = bench.wiki.resolve(&PagePath::root()).unwrap();
    assert_eq!(root.revision, 1);
    assert!(bench.text(root.id).starts_with("# Welcome"));
    bench.advance(1);
    let registered = bench.wiki.register(name("Chie"), Template::Ja).unwrap();
    assert_eq!(registered.root_page, None);
    assert_eq!(bench.wiki.resolve(&PagePath::root()).unwrap(), root);
    let names: Vec<String> = bench
        .wiki
        .users()
        .unwrap()
        .iter()
        .map(|user| user.name.to_string())
        .collect();
    assert_eq!(names, ["Aya", "Ben", "Chie"]);
}

#[test]
fn registration_order_survives_clock_changes() {
    let bench = Bench::new();
    let put_back = std::time::Duration::from_secs(86_400);
    for newcomer in ["Chie", "Dai", "Emi"] {
        bench.clock.put_back(put_back);
        bench.wiki.register(name(newcomer), Template::En).unwrap();
    }
    let users = bench.wiki.users().unwrap();
    let names: Vec<&str> = users.iter().map(|user| user.name.as_str()).collect();
    assert_eq!(names, ["Aya", "Ben", "Chie", "Dai", "Emi"]);
}

#[test]
fn names_are_unique_and_can_be_changed() {
    let bench = Bench::new();
    assert!(matches!(
        bench.wiki.register(name("Ben"), Template::En),
        Err(RegisterError::NameTaken(_))
    ));
    assert!(matches!(
        bench.wiki.rename_user(bench.aya, name("Ben")),
        Err(RegisterError::NameTaken(_))
    ));
    bench.wiki.rename_user(bench.aya, name("Aya")).unwrap();
    bench.wiki.rename_user(bench.aya, name("あや")).unwrap();
    assert!(bench.wiki.user_named(&name("Aya")).unwrap().is_none());
    assert_eq!(
        bench.wiki.user_named(&name("あや")).unwrap().unwrap().id,
        bench.aya
    );
}

#[test]
fn renaming_a_user_keeps_names_in_revisions() {
    let bench = Bench::new();
    let id = bench.page("/a", "one");
    bench.wiki.rename_user(bench.aya, name("あや")).unwrap();
    bench.wiki.save(bench.by_version(id, 1, 0, "two")).unwrap();
    let author = |rev| {
        bench
            .wiki
            .page_meta(id, Some(rev))
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
    let bench = Bench::new();
    bench
        .wiki
        .change_settings::<StorageError>(|settings| {
            settings.language = Language::Ja;
            Ok(())
        })
        .unwrap();
    let bench = bench.reopened();
    let refused = bench.wiki.change_settings(|settings| {
        settings.theme = Theme::Dark;
        Err(StorageError::Damaged {
            table: "test",
            reason: String::new(),
        })
    });
    assert!(refused.is_err());
    let settings = bench.wiki.settings().unwrap();
    assert_eq!(
        (settings.language, settings.theme),
        (Language::Ja, Theme::System)
    );
}

#[test]
fn path_without_a_page_is_not_found() {
    let bench = Bench::new();
    assert!(matches!(
        bench.wiki.resolve(&path("/nothing")),
        Err(ResolveError::NotFound(_))
    ));
}
