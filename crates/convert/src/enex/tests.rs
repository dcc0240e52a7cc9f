//! Tests of whole exports.

use base64::Engine as _;

use super::BASE64;
use crate::source::SkipReason;
use crate::testing::{read_file, read_zip};
use crate::{Format, ReadError};

fn export(notes: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE en-export SYSTEM \"http://xml.evernote.com/pub/evernote-export4.dtd\">\n\
         <en-export export-date=\"20240101T000000Z\" application=\"Evernote\" version=\"10\">{notes}</en-export>"
    )
}

fn note(title: &str, content: &str, more: &str) -> String {
    format!(
        "<note><title>{title}</title><created>20230101T120000Z</created><updated>20230102T120000Z</updated>\
         <content><![CDATA[<?xml version=\"1.0\"?><!DOCTYPE en-note SYSTEM \"http://xml.evernote.com/pub/enml2.dtd\">\
         <en-note>{content}</en-note>]]></content>{more}</note>"
    )
}

fn resource(bytes: &[u8], mime: &str, name: &str) -> String {
    let data = BASE64.encode(bytes);
    let (first, second) = data.split_at(data.len() / 2);
    format!(
        "<resource><data encoding=\"base64\">\n{first}\n{second}\n</data><mime>{mime}</mime>\
         <recognition><![CDATA[<recoIndex/>]]></recognition><resource-attributes><file-name>{name}</file-name></resource-attributes></resource>"
    )
}

const PNG: &str = "bff139fa05ac583f685a523ab3d110a0";

#[test]
fn export_is_converted() {
    let content = format!(
        "<div>Line one</div><div>line <b>two</b></div><div><br/></div>\
         <div><en-todo checked=\"true\"/>done</div><div><en-todo/>open</div>\
         <ul style=\"--en-todo:true;\"><li style=\"--en-checked:false;\"><div>new style</div></li></ul>\
         <div style=\"--en-codeblock:true;box-sizing: border-box;\"><div>let a = 1;</div><div>  b</div></div>\
         <div><en-media type=\"image/png\" hash=\"{PNG}\" width=\"200\"/></div>\
         <div><span style=\"--en-highlight:yellow;background-color: #ffef9e;\">marked</span> <span style=\"color:rgb(255, 0, 0);\">red</span></div>\
         <div><a href=\"evernote:///view/1/s1/a/a/\">Other note</a> and <a href=\"evernote:///view/1/s1/b/b/\">Nothing</a></div>\
         <div><en-crypt cipher=\"AES\" hint=\"my hint\">abc</en-crypt></div>\
         <div style=\"--en-task-group:true; --en-id:g-1;color:#868686\"><div>Content not supported</div></div>\
         <table><tr><td><div>a</div></td><td><div>b</div></td></tr></table>"
    );
    let more = format!(
        "<tag>旅行</tag><tag>a &amp; b</tag><note-attributes><author>Me</author><source-url>https://example.org/?a=1&amp;b=2</source-url>\
         <reminder-time>20250101T000000Z</reminder-time></note-attributes>{}{}{}\
         <task><title>A task</title><taskStatus>completed</taskStatus></task>\
         <task><title>Placed</title><taskStatus>open</taskStatus><taskGroupNoteLevelID>g-1</taskGroupNoteLevelID></task>",
        resource(b"png", "image/png", ""),
        resource(b"png", "image/png", "twice.png"),
        resource(b"%PDF", "application/pdf", "paper &amp; more.pdf"),
    );
    let notes = note("Trip &#38; more", &content, &more)
        + &note("Other note", "<div/>", "")
        + &note("Other note 2", "x", "");
    let (format, text) = read_file("My notebook.enex", export(&notes).as_bytes()).unwrap();
    assert_eq!(format, Format::Evernote);
    insta::assert_snapshot!(text);
}

#[test]
fn notes_of_several_notebooks_have_their_places() {
    let (format, text) = read_zip(&[
        ("a.enex", export(&note("Same", "x", "")).as_bytes()),
        (
            "b/c.enex",
            export(&(note("Same", "y", "") + &note("Same", "z", ""))).as_bytes(),
        ),
        ("empty.enex", export("").as_bytes()),
    ])
    .unwrap();
    assert_eq!(format, Format::Evernote);
    let headers: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("==="))
        .collect();
    assert_eq!(
        headers,
        [
            "=== a.enex#20230101T120000Z-Same → a / Same",
            "=== b/c.enex#20230101T120000Z-Same → b / c / Same",
            "=== b/c.enex#20230101T120000Z-Same-2 → b / c / Same",
            "=== skipped empty.enex: Description",
        ]
    );
}

#[test]
fn notes_before_the_damage_are_kept() {
    let whole = export(
        &(note("First", "a", "")
            + &note("Second", "b", &resource(&[7; 5000], "image/png", "x.png"))),
    );
    let cut_off = &whole[..whole.len() - 3000];
    let (_, text) = read_file("a.enex", cut_off.as_bytes()).unwrap();
    assert!(
        text.contains("→ First\n") && !text.contains("→ Second"),
        "{text}"
    );
    assert!(
        text.contains(&format!(
            "=== skipped a.enex#rest: {:?}",
            SkipReason::Unreadable
        )),
        "{text}"
    );
    let nothing = read_file("a.enex", &whole.as_bytes()[..300]);
    assert!(matches!(nothing, Err(ReadError::Damaged(_))));
}

#[test]
fn invalid_data_is_skipped() {
    let data = "<resource><data encoding=\"base64\">%%%</data><mime>image/png</mime></resource>";
    let (_, text) = read_file("a.enex", export(&note("N", "text", data)).as_bytes()).unwrap();
    assert!(
        text.contains("text\n=== skipped a.enex#20230101T120000Z-N/0: Unreadable"),
        "{text}"
    );
}

#[test]
fn text_that_is_not_utf8_is_reported() {
    let mut bytes = export(&note("N", "a?b", "")).into_bytes();
    let at = bytes.windows(3).position(|part| part == b"a?b").unwrap();
    bytes[at + 1] = 0xff;
    let (_, text) = read_file("a.enex", &bytes).unwrap();
    assert!(
        text.contains("! Encoding: UTF-8") && text.contains("a\u{fffd}b"),
        "{text}"
    );
}

#[test]
fn deep_elements_do_not_end_a_note() {
    let deep = format!("{}{}", "<x>".repeat(50_000), "</x>".repeat(50_000));
    let notes = note("Deep", "text", &deep) + &note("Next", "more", "");
    let (_, text) = read_file("a.enex", export(&notes).as_bytes()).unwrap();
    assert!(
        text.contains("→ Deep\n") && text.contains("→ Next\n"),
        "{text}"
    );
    assert!(!text.contains("skipped"), "{text}");
}

#[test]
fn entities_are_not_expanded() {
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;\">]>\
                <en-export><note><title>&b;</title><content>x</content></note></en-export>";
    let (_, text) = read_file("a.enex", bomb.as_bytes()).unwrap();
    assert!(text.contains("→ &b;"), "{text}");
}

#[test]
fn link_means_the_note_of_its_notebook() {
    let link = "<div><a href=\"evernote:///view/1/s1/x/x/\">Same</a></div>";
    let notebook = export(&format!(
        "{}{}",
        note("Same", "<div>a</div>", ""),
        note("List", link, "")
    ));
    let (_, text) = read_zip(&[
        ("a.enex", notebook.as_bytes()),
        ("b.enex", notebook.as_bytes()),
    ])
    .unwrap();
    assert!(!text.contains("AmbiguousLink"), "{text}");
    assert!(text.contains("[Same](fumikura-import:b.enex%23"), "{text}");
}
