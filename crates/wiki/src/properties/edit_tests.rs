//! Tests of reading and changing properties.

use proptest::prelude::*;

use super::*;

fn value(kind: PropertyKind, values: &[&str]) -> PropertyValue {
    PropertyValue {
        kind,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    }
}

#[track_caller]
fn check_put(text: &str, name: &str, (kind, values): (PropertyKind, &[&str]), expected: &str) {
    let change = PropertyChange::Put(value(kind, values));
    assert_eq!(
        edited(text, name, &change).as_deref(),
        Ok(expected),
        "{text:?}"
    );
}

#[track_caller]
fn check_remove(text: &str, name: &str, expected: &str) {
    let removed = edited(text, name, &PropertyChange::Remove);
    assert_eq!(removed.as_deref(), Ok(expected), "{text:?}");
}

#[track_caller]
fn check_kind(yaml: &str, kind: PropertyKind, values: &[&str]) {
    let properties = Properties::read(&format!("---\n{yaml}\n---\n"));
    let [property] = &properties.items[..] else {
        panic!("{yaml:?}: {properties:?}");
    };
    assert_eq!(
        (property.kind, &property.values[..]),
        (kind, &value(kind, values).values[..]),
        "{yaml:?}"
    );
}

#[test]
fn values_have_kinds() {
    use PropertyKind::*;
    check_kind("a: some words", Text, &["some words"]);
    check_kind("a: \"1\"", Text, &["1"]);
    check_kind("a: 0x10", Text, &["0x10"]);
    check_kind("a: -1.5e3", Number, &["-1.5e3"]);
    check_kind("a: 2026-11-20", Date, &["2026-11-20"]);
    check_kind("a: 2026-13-20", Text, &["2026-13-20"]);
    check_kind("a: true # done", Check, &["true"]);
    check_kind("a: yes", Text, &["yes"]);
    check_kind("a: [x, 'y z']", List, &["x", "y z"]);
    check_kind("a:\n- x\n- y", List, &["x", "y"]);
    check_kind("tags: '#x, y、旅/京都/'", Tags, &["x", "y", "旅/京都"]);
    check_kind("tags: [\"#x\", y]", Tags, &["x", "y"]);
    check_kind("a: \"[[/旅/京都]]\"", Page, &["[[/旅/京都]]"]);
    check_kind("a:", Empty, &[]);
    check_kind("a: ~ # nothing", Empty, &[]);
    check_kind("a: {b: 1, c: [2]} # d", Other, &["{b: 1, c: [2]}"]);
    check_kind("a:\n  b: 1\n  c: 2", Other, &["b: 1\n  c: 2"]);
    check_kind("a: |\n  x\n  y\n", Other, &["|\n  x\n  y"]);
    check_kind("a: &b 1", Other, &["&b 1"]);
    check_kind("a: [[/b]]", Other, &["[[/b]]"]);
}

#[test]
fn comments_after_quotes_stay() {
    let text = "---\na: 'it''s'  # one\nb: \"\\\"\" # two\n---\n";
    let kind = PropertyKind::Text;
    check_put(text, "a", (kind, &["x"]), &text.replace("'it''s'", "'x'"));
    check_put(
        text,
        "b",
        (kind, &["y"]),
        &text.replace("\"\\\"\"", "\"y\""),
    );
}

#[test]
fn only_the_value_changes() {
    use PropertyKind::*;
    let text = "---\n# top\nb: 2 # two\n\"a\" :  'x'\ntags: [ y , \"z\" ]  # t\nlist:\n  - one # 1\n  # between\n  - 'two'\nlast:\n---\ntext\n";
    check_put(
        text,
        "b",
        (Number, &["3"]),
        &text.replace("b: 2 # two", "b: 3 # two"),
    );
    check_put(
        text,
        "b",
        (Text, &["3"]),
        &text.replace("b: 2 # two", "b: \"3\" # two"),
    );
    check_put(
        text,
        "b",
        (Empty, &[]),
        &text.replace("b: 2 # two", "b: # two"),
    );
    check_put(
        text,
        "b",
        (List, &["1", "c,d"]),
        &text.replace("b: 2", "b: [\"1\", \"c,d\"]"),
    );
    check_put(
        text,
        "a",
        (Text, &["it's: so"]),
        &text.replace("'x'", "'it''s: so'"),
    );
    check_put(
        text,
        "tags",
        (Tags, &["z", "y"]),
        &text.replace("[ y , \"z\" ]", "[\"z\", y]"),
    );
    check_put(
        text,
        "list",
        (List, &["one", "two", "- x"]),
        &text.replace("  - 'two'\n", "  - 'two'\n  - \"- x\"\n"),
    );
    check_put(
        text,
        "list",
        (List, &["two"]),
        &text.replace("  - one # 1\n  # between\n", ""),
    );
    check_put(
        text,
        "list",
        (List, &[]),
        &text.replace("list:\n  - one # 1\n  # between\n  - 'two'\n", "list: []\n"),
    );
    check_put(
        text,
        "last",
        (Date, &["2026-11-20"]),
        &text.replace("last:", "last: 2026-11-20"),
    );
    check_put(
        text,
        "last",
        (Page, &["[[/a b]]"]),
        &text.replace("last:", "last: \"[[/a b]]\""),
    );
    check_put(
        text,
        "new: x",
        (Check, &["true"]),
        &text.replace("last:\n", "last:\n\"new: x\": true\n"),
    );
    check_remove(text, "b", &text.replace("b: 2 # two\n", ""));
    check_remove(
        text,
        "list",
        &text.replace("list:\n  - one # 1\n  # between\n  - 'two'\n", ""),
    );
}

#[test]
fn front_matter_comes_and_goes() {
    let one = (PropertyKind::Number, &["1"] as &[&str]);
    check_put("# A\r\n", "a", one, "---\r\na: 1\r\n---\r\n# A\r\n");
    check_put("", "a", one, "---\na: 1\n---\n");
    check_put("---\n# c\n---\n", "a", one, "---\n# c\na: 1\n---\n");
    check_put(
        "---\r\na: 1\r\n---\r\n",
        "b",
        one,
        "---\r\na: 1\r\nb: 1\r\n---\r\n",
    );
    check_remove("---\na: 1\n---\ntext", "a", "text");
    check_remove("---\n# c\na: 1\n---\ntext", "a", "---\n# c\n---\ntext");
    check_remove("text", "a", "text");
}

#[test]
fn unusual_yaml_is_left_alone() {
    let change = PropertyChange::Put(value(PropertyKind::Number, &["1"]));
    let not_editable = |name: &str| Err(InvalidProperty::NotEditable(name.to_owned()));
    for text in [
        "---\na: {b: 1}\n---\n",
        "---\n{a: 2}\n---\n",
        "---\na: &x 1\nb: *x\n---\n",
    ] {
        assert_eq!(edited(text, "a", &change), not_editable("a"), "{text:?}");
    }
    // Another field refers to it.
    let shared = "---\na: &x 1\nb: *x\n---\n";
    assert_eq!(
        edited(shared, "a", &PropertyChange::Remove),
        not_editable("a")
    );
    let bad = edited("---\na: b: c\n---\n", "a", &change);
    assert!(
        matches!(
            bad,
            Err(InvalidProperty::Fault(PropertyFault { line: Some(2), .. }))
        ),
        "{bad:?}"
    );
}

#[test]
fn values_must_be_of_their_kind() {
    let refused = |kind, values: &[&str]| {
        edited("", "a", &PropertyChange::Put(value(kind, values))).unwrap_err()
    };
    use PropertyKind::*;
    assert!(matches!(
        refused(Number, &["one"]),
        InvalidProperty::Value { .. }
    ));
    assert!(matches!(
        refused(Date, &["2026-02-30"]),
        InvalidProperty::Value { .. }
    ));
    assert!(matches!(
        refused(Other, &["x"]),
        InvalidProperty::Value { .. }
    ));
    assert_eq!(refused(Text, &[]), InvalidProperty::Count(Text));
    let unnamed = edited("", " ", &PropertyChange::Remove);
    assert_eq!(unnamed, Err(InvalidProperty::Name));
}

#[test]
fn new_tags_are_tags_of_texts() {
    let check = |kind, name: &str, values: &[&str]| {
        check_new_tags("---\ntags: [old one]\n---\n", name, &value(kind, values))
    };
    use PropertyKind::*;
    assert_eq!(check(Tags, "tags", &["old one", "#旅/京都"]), Ok(()));
    assert_eq!(check(Text, "status", &["to do"]), Ok(()));
    let refused = Err(InvalidProperty::Value {
        kind: Tags,
        value: "to do".to_owned(),
    });
    assert_eq!(check(Tags, "tags", &["a", "to do"]), refused);
    assert_eq!(check(List, "keywords", &["to do"]), refused);
}

#[test]
fn faults_name_their_line() {
    let fault = |yaml: &str| {
        Properties::read(&format!("---\n{yaml}\n---\n"))
            .fault
            .map(|fault| fault.line)
    };
    assert_eq!(fault("a: 1"), None);
    assert_eq!(fault("# only a comment"), None);
    assert_eq!(fault("title: a: b"), Some(Some(2)));
    assert_eq!(fault("a: 1\nb: *x"), Some(Some(3)));
    assert_eq!(fault("a: 1\nb: 2\na: 2"), Some(Some(4)));
    assert_eq!(fault("just a sentence"), Some(None));
    assert_eq!(fault("- a\n- b"), Some(None));
    assert_eq!(fault("a: 1\n...\nb: 2"), Some(Some(4)));
}

/// Texts with the marks that mean something in YAML.
fn yaml() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "tags",
        ":",
        ": ",
        " ",
        "  ",
        "\n",
        "\n",
        "\r\n",
        "- ",
        "-",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "\"",
        "'",
        "#",
        " #",
        "&x",
        "*x",
        "!",
        "|",
        ">",
        "1",
        "true",
        "2026-11-20",
        "京",
        "\t",
        "?",
        "---",
        "...",
        "\\",
        "%",
        "~",
        "\u{2028}",
        "[[/a]]",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// `edited` compares all names and values itself; here the bytes around the change are compared.
    #[test]
    fn other_lines_keep_their_bytes(yaml in yaml(), body in "\\PC{0,10}", item in "\\PC{0,10}") {
        let text = format!("---\n{yaml}\n---\n{body}");
        let put = PropertyChange::Put(value(PropertyKind::Text, &[&item]));
        if let Ok(changed) = edited(&text, "a", &put) {
            prop_assert!(changed.ends_with(&body));
            prop_assert!(Properties::read(&changed).items.iter().any(|found| found.values == [item.clone()] || item.is_empty()));
        }
        if let Ok(changed) = edited(&text, "a", &PropertyChange::Remove) {
            prop_assert!(changed.ends_with(&body) && changed.len() <= text.len());
        }
    }

    #[test]
    fn any_text_can_be_a_value(item in any::<String>()) {
        let kind = PropertyKind::List;
        let changed = edited("---\nb: 1\n---\n", "a", &PropertyChange::Put(value(kind, &[&item])));
        prop_assert!(changed.is_ok(), "{:?}", changed);
        let changed = edited("---\na:\n- x\n---\n", "a", &PropertyChange::Put(value(kind, &["x", &item])));
        prop_assert!(changed.is_ok(), "{:?}", changed);
        let changed = edited("---\na: 'x'\n---\n", "a", &PropertyChange::Put(value(PropertyKind::Text, &[&item])));
        prop_assert!(changed.is_ok(), "{:?}", changed);
    }
}
