//! Tests: queries that other programs fail on, with texts that match and texts that do not. docs/SEARCH.md
//! has the table.

use std::collections::BTreeSet;

use super::tests::Pages;

/// A query, texts that it finds, and texts that it does not find.
type QualityRow = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const TABLE: &[QualityRow] = &[
    // Single kanji, and words of kanji only, which look like Chinese.
    ("健", &["健康診断"], &["見る", "建物", "件"]),
    ("見", &["意見を聞く", "見る"], &["健康診断"]),
    ("健見", &[], &["健康診断を見る", "見る"]),
    ("診断", &["健康診断"], &["診て断る", "断診"]),
    ("東京", &["東京都", "東\n京"], &["東 京", "京東", "東。京"]),
    ("京都", &["東京都", "京都府"], &["京 都", "都の京"]),
    ("大阪", &["大阪府"], &["大\n\n阪", "大きな阪"]),
    ("骨董品", &["骨董品店"], &["骨董の品", "董骨品"]),
    ("𠮷野家", &["𠮷野家"], &["吉野家"]),
    // Parts of a word.
    ("tabas", &["a database"], &["a data base", "tabs"]),
    ("康診", &["健康診断"], &["健康な診断"]),
    ("キーボ", &["キーボード"], &["キー", "ボード"]),
    ("リプト", &["スクリプト"], &["リフト"]),
    // Words of one and two characters.
    ("C", &["C and Rust"], &["Rust"]),
    ("go", &["in Go", "the goal"], &["dog", "g o"]),
    ("AI", &["AIの記事", "ＡＩ"], &["a i", "AとI"]),
    ("本", &["日本語"], &["木"]),
    ("猫", &["猫。", "子猫たち"], &["犬"]),
    // Adjacent scripts.
    (
        "重跑gen-itgc後",
        &["重跑gen-itgc後、結果を見る"],
        &["重跑gen後", "gen-itgc"],
    ),
    ("跑gen", &["重跑gen-itgc後"], &["跑 と gen"]),
    ("itgc後", &["重跑gen-itgc後"], &["後itgc"]),
    ("Rust入門", &["Rust入門", "Rust 入門"], &["入門Rust"]),
    ("第3章", &["第3章", "第３章"], &["第4章", "第13章"]),
    ("Windows10", &["Windows10"], &["Windows 10", "10windows"]),
    // Width, case, kana and marks.
    ("ｶﾅ", &["カナ", "かな", "ｶﾅ"], &["カ ナ", "仮名"]),
    ("ガイド", &["ｶﾞｲﾄﾞ", "がいど"], &["カイト"]),
    ("ＲＵＳＴ", &["rust", "Rust"], &["rest"]),
    ("人々", &["人々", "人人"], &["人"]),
    ("時々刻々", &["時々刻々", "時時刻刻"], &["時刻"]),
    ("㈱", &["(株)", "㈱"], &["有限会社"]),
    ("ﾊﾟｿｺﾝ", &["パソコン"], &["ハソコン"]),
    // Long vowels.
    (
        "サーバー",
        &["サーバー", "サーバの設定"],
        &["バー", "サーフ"],
    ),
    ("サーバ", &["サーバー", "サーバ"], &["サバ"]),
    (
        "ユーザインタフェース",
        &["ユーザーインターフェース", "ユーザインタフェース"],
        &["ユーザー", "インターフェース"],
    ),
    ("サーバー管理", &["サーバ管理"], &["サーバーの管理"]),
    ("ビル", &["ビルの屋上"], &["ビールを飲む"]),
    ("ビール", &["ビールを飲む"], &["ビルの屋上"]),
    // Forms of words, and accents.
    ("walking", &["he walks", "walk"], &["wall", "walnut"]),
    ("page", &["pages", "page"], &["pace"]),
    ("goteborg", &["Göteborg"], &["Goteburg"]),
    ("naïve", &["naive", "naïve"], &["native"]),
    ("Straße", &["straße", "strasse", "STRAẞE"], &["strafe"]),
    ("strasse", &["Strasse", "Straße"], &["Verschleiß"]),
    // Marks that other programs treat as syntax or ignore.
    ("C++", &["C++ and C"], &["C and C", "C+"]),
    ("C#", &["C# and F#"], &["C and #"]),
    ("foo_bar", &["foo_bar"], &["foobar", "bar_foo"]),
    ("100%", &["100% cotton"], &["100 sheets"]),
    ("a.b", &["file a.b"], &["b.a"]),
    ("→", &["京都→東京"], &["京都-東京"]),
    ("😀", &["well 😀"], &["well 😃"]),
    // Phrases, and several words.
    (
        "\"database of\"",
        &["a database of"],
        &["databases of", "of database"],
    ),
    ("「京都 旅」", &["京都 旅"], &["京都旅", "旅 京都"]),
    ("京都 旅", &["旅は京都"], &["旅は奈良", "京都の寺"]),
    ("京都 -旅", &["京都の寺"], &["京都の旅"]),
    ("奈良 OR 京都", &["奈良の寺", "京都の寺"], &["大阪の寺"]),
    // Other scripts without spaces, and Korean.
    ("한국", &["한국어를"], &["한 국", "한글"]),
    ("ภาษา", &["เรียนภาษาไทย"], &["เรียน"]),
    ("数据库", &["关系数据库系统"], &["数据的库"]),
    ("москва", &["в Москва"], &["в Москве"]),
    (
        "น\u{0E49}\u{0E33}",
        &["น\u{0E4D}\u{0E49}\u{0E32}"],
        &["น\u{0E32}"],
    ),
    // Forms of one character.
    ("鉄道", &["鐵道", "鉄道"], &["鉄の道"]),
    ("鐵道", &["鐵道", "鉄道"], &[]),
    ("長野", &["⻑野へ", "長野へ"], &["長い野"]),
    // Syntax in full width.
    ("京都　－旅", &["京都の宿"], &["京都の旅"]),
    ("京都　−旅", &["京都の宿"], &["京都の旅"]),
    ("大阪　ＯＲ　京都", &["大阪", "京都"], &["奈良"]),
    ("ｔａｇ:旅", &["#旅 の記録"], &["旅の記録"]),
    ("＂kyoto temple＂", &["kyoto temple"], &["temple in kyoto"]),
    // Marks between numbers.
    (
        "\"2026.4.10\"",
        &["on 2026.4.10"],
        &["2026 4 10", "2026-4-10"],
    ),
    ("2026.4.10", &["on 2026.4.10", "2026-4-10"], &["2026.4"]),
    ("\"12.5\"", &["12.5 km"], &["12,5 km", "12. 5"]),
    ("「１２.５」", &["12.5 km"], &["12,5 km"]),
    // Nothing but a mark.
    ("\u{301}", &[], &["x"]),
    ("*\u{FE0F}\u{20E3}", &[], &["x"]),
];

#[test]
fn hard_queries_find_what_they_should() {
    let texts: BTreeSet<&str> = TABLE
        .iter()
        .flat_map(|(_, hits, others)| hits.iter().chain(*others).copied())
        .collect();
    let texts: Vec<&str> = texts.into_iter().collect();
    let pages = Pages::new(&texts);
    let mut faults = Vec::new();
    for (typed, hits, others) in TABLE {
        let found = pages.found(typed);
        assert_eq!(found, pages.scanned(typed), "{typed:?}: the scan differs");
        let has = |text: &str| {
            texts
                .binary_search(&text)
                .is_ok_and(|at| found.contains(&at))
        };
        let missed = hits.iter().filter(|text| !has(text));
        faults.extend(missed.map(|text| format!("{typed:?} misses {text:?}")));
        let wrong = others.iter().filter(|text| has(text));
        faults.extend(wrong.map(|text| format!("{typed:?} finds {text:?}")));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
