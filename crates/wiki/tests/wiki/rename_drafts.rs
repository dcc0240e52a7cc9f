//! Renames subtrees that contain drafts.

use fumikura_wiki::*;

use crate::rename::*;
use crate::support::path;

#[test]
fn draft_moves_only_with_subtree_and_token() {
    let test = sample_wiki();
    let a = test.at("/a");
    let (draft, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a/x/draft"), test.aya)
        .unwrap();
    let error = expect_refusal(&test, a, "/c", true);
    assert!(matches!(
        error,
        RenameError::Gate(GateError::Required { path: at, .. }) if at == path("/a/x/draft")
    ));
    let request = RenameRequest {
        token: Some(lock.token),
        ..test.renaming(a, "/c", true)
    };
    assert_eq!(test.wiki.tree().rename(&request).unwrap().pages.len(), 3);
    assert_eq!(test.wiki.pages().path(draft).unwrap(), path("/c/x/draft"));
    test.check_tables();
    let request = RenameRequest {
        token: Some(lock.token),
        ..test.renaming(draft, "/d", false)
    };
    assert!(matches!(
        test.wiki.tree().rename(&request),
        Err(RenameError::Draft)
    ));
    test.wiki
        .pages()
        .save(test.by_token(draft, lock.token, "saved"))
        .unwrap();
    assert_eq!(test.at("/c/x/draft"), draft);
    test.check_tables();
}

#[test]
fn expired_drafts_do_not_move_along() {
    let test = sample_wiki();
    let (draft, _) = test
        .wiki
        .pages()
        .create_draft(&path("/a/draft"), test.ben)
        .unwrap();
    test.advance(301);
    test.rename(test.at("/a"), "/c", true).unwrap();
    assert!(matches!(
        test.wiki.pages().path(draft),
        Err(PageError::NotFound)
    ));
    test.check_tables();
}
