//! Renames subtrees that contain drafts.

use fumikura_wiki::*;

use crate::renaming::*;
use crate::support::path;

#[test]
fn draft_moves_only_with_subtree_and_token() {
    let bench = bench();
    let a = bench.at("/a");
    let (draft, lock) = bench
        .wiki
        .create_draft(&path("/a/x/draft"), bench.aya)
        .unwrap();
    let error = refused(&bench, a, "/c", true);
    assert!(matches!(
        error,
        RenameError::Gate(GateError::Required { path: at, .. }) if at == path("/a/x/draft")
    ));
    let request = RenameRequest {
        token: Some(lock.token),
        ..bench.renaming(a, "/c", true)
    };
    assert_eq!(bench.wiki.rename(&request).unwrap().pages.len(), 3);
    assert_eq!(bench.wiki.page_path(draft).unwrap(), path("/c/x/draft"));
    bench.is_whole();
    let request = RenameRequest {
        token: Some(lock.token),
        ..bench.renaming(draft, "/d", false)
    };
    assert!(matches!(
        bench.wiki.rename(&request),
        Err(RenameError::Draft)
    ));
    bench
        .wiki
        .save(bench.by_token(draft, lock.token, "saved"))
        .unwrap();
    assert_eq!(bench.at("/c/x/draft"), draft);
    bench.is_whole();
}

#[test]
fn expired_drafts_do_not_move_along() {
    let bench = bench();
    let (draft, _) = bench
        .wiki
        .create_draft(&path("/a/draft"), bench.ben)
        .unwrap();
    bench.advance(301);
    bench.rename(bench.at("/a"), "/c", true).unwrap();
    assert!(matches!(
        bench.wiki.page_path(draft),
        Err(PageError::NotFound)
    ));
    bench.is_whole();
}
