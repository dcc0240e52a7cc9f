//! Tests of matches and their ranks.

use super::*;

/// Checks the rank of a page with this title and path, and the matching parts.
#[track_caller]
fn check(typed: &str, title: &str, path: &str, expected: Option<(MatchKind, Field, &[&str])>) {
    let query = Query::new(typed);
    let (title, path) = (fold(title), fold(path));
    let names = Names {
        title: Name::new(&title),
        path: Name::new(&path),
    };
    let rank = query.rank(names);
    let [in_title, in_path] = query.places(names);
    let parts = in_title.into_iter().map(|place| &title[place]);
    let parts: Vec<&str> = parts
        .chain(in_path.into_iter().map(|place| &path[place]))
        .collect();
    let found = rank.map(|rank| (rank.kind, rank.field, parts.as_slice()));
    assert_eq!(found, expected, "{typed:?} in {title:?} {path:?}");
}

#[test]
fn fits_are_distinguished() {
    use Field::{Path, Title};
    use MatchKind::{Exact, Prefix, Subsequence, Substring, WordStart};
    check("京都", "京都", "/x", Some((Exact, Title, &["京都"])));
    check("京都", "京都の旅", "/x", Some((Prefix, Title, &["京都"])));
    check("旅", "京都の旅", "/x", Some((WordStart, Title, &["旅"])));
    check("都", "京都の旅", "/x", Some((Substring, Title, &["都"])));
    check(
        "京旅",
        "京都の旅",
        "/x",
        Some((Subsequence, Title, &["京", "旅"])),
    );
    check("海", "京都の旅", "/x", None);
    check("kyoto", "", "/trips/kyoto", Some((Exact, Path, &["kyoto"])));
    check("ky", "", "/trips/kyoto", Some((Prefix, Path, &["ky"])));
    check(
        "trip",
        "",
        "/trips/kyoto",
        Some((WordStart, Path, &["trip"])),
    );
    check(
        "rips",
        "",
        "/trips/kyoto",
        Some((Substring, Path, &["rips"])),
    );
    check(
        "/trips",
        "",
        "/trips/kyoto",
        Some((Prefix, Path, &["/trips"])),
    );
    check(
        "tk",
        "",
        "/trips/kyoto",
        Some((Subsequence, Path, &["t", "k"])),
    );
    check("/", "", "/", Some((Exact, Path, &["/"])));
}

#[test]
fn best_fit_counts_and_title_wins_ties() {
    check(
        "a",
        "a",
        "/x/a",
        Some((MatchKind::Exact, Field::Title, &["a"])),
    );
    check(
        "a",
        "ba",
        "/x/a",
        Some((MatchKind::Exact, Field::Path, &["a"])),
    );
    check(
        "b",
        "a-b b",
        "/x",
        Some((MatchKind::WordStart, Field::Title, &["b"])),
    );
    check(
        "a",
        "ba a",
        "/x",
        Some((MatchKind::WordStart, Field::Title, &["a"])),
    );
}

#[test]
fn width_case_and_kana_are_ignored() {
    for typed in ["ガイド", "がいど", "ｶﾞｲﾄﾞ", "カ\u{3099}イト\u{3099}"] {
        check(
            typed,
            "旅ガイド",
            "/",
            Some((MatchKind::WordStart, Field::Title, &["がいど"])),
        );
    }
    check(
        "ＡＢＣ",
        "Abc",
        "/",
        Some((MatchKind::Exact, Field::Title, &["abc"])),
    );
}

#[test]
fn words_match_in_any_order_and_field() {
    use Field::{Path, Title};
    use MatchKind::{Exact, Subsequence, Substring, WordStart};
    check(
        "new york",
        "New York",
        "/x",
        Some((Exact, Title, &["new york"])),
    );
    check(
        " new　york ",
        "New York",
        "/x",
        Some((Exact, Title, &["new york"])),
    );
    check(
        "york new",
        "New York",
        "/x",
        Some((WordStart, Title, &["new", "york"])),
    );
    check(
        "ork 旅",
        "New York",
        "/旅/x",
        Some((Substring, Title, &["ork", "旅"])),
    );
    check(
        "nyk 旅",
        "New York",
        "/x/旅",
        Some((Subsequence, Title, &["n", "y", "k", "旅"])),
    );
    check(
        "旅 京",
        "",
        "/旅/京都",
        Some((WordStart, Path, &["旅", "京"])),
    );
    check("york paris", "New York", "/x", None);
}

#[test]
fn better_fits_score_higher() {
    let score = |title: &str, path: &str| {
        let names = Names {
            title: Name::new(title),
            path: Name::new(path),
        };
        Query::new("ab").rank(names).unwrap().score()
    };
    let ordered = [
        score("ab", "/x"),
        score("", "/ab"),
        score("abc", "/x"),
        score("abcd", "/x"),
        score("", "/abc"),
        score("c ab", "/x"),
        score("cab", "/x"),
        score("", "/cab"),
        score("acb", "/x"),
        score("", "/acb"),
    ];
    assert!(ordered.is_sorted_by(|a, b| a > b), "{ordered:?}");
}
