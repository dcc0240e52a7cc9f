//! Tests of whole exports.

use super::index::split_id;
use super::properties;
use crate::Format;
use crate::document::is_number;
use crate::testing::read_zip;

const PAGE: &str = "0123456789abcdef0123456789abcdef";
const SUB: &str = "11112222333344445555666677778888";
const BASE: &str = "aaaabbbbccccddddeeeeffff00001111";
const ROW: &str = "99998888777766665555444433332222";

#[test]
fn markdown_export_is_converted() {
    let page = format!(
        "# Project: a/b\n\nSee [Sub page](Project%20a%20b%20{PAGE}/Sub%20{SUB}.md) and \
         [elsewhere](https://www.notion.so/ws/Sub-{SUB}?pvs=21), [gone](Gone%2077778888777766665555444433332222.md).\n\n\
         ![photo](Project%20a%20b%20{PAGE}/photo%201.png)\n\n[Tasks](Tasks%20{BASE}.csv)\n\n\
         <aside>\n💡 Remember\n\n- this\n\n</aside>\n\n```\n<aside>\n[x](y.md)\n```\n\n- [ ]  open\n- [x]  done\n"
    );
    let row = format!(
        "# Buy milk\n\nTags: home, 買い物\nDone: Yes\nDue: June 1, 2023\nCount: 12\nCreated: June 1, 2023 10:00 AM\n\
         Related: Sub (../Project%20a%20b%20{PAGE}/Sub%20{SUB}.md)\nNot a column: x\n\nText.\n"
    );
    let csv = format!(
        "\u{feff}Name,Tags,Done,Due,Count,Created,Related\nBuy milk,\"home, 買い物\",Yes,\"June 1, 2023\",12,,Sub (Project%20a%20b%20{PAGE}/Sub%20{SUB}.md)\nNo page,,No,,,,\n"
    );
    let (format, text) = read_zip(&[
        (&format!("Export/Project a b {PAGE}.md"), page.as_bytes()),
        (
            &format!("Export/Project a b {PAGE}/Sub {SUB}.md"),
            format!("# Sub\n\n[up](../Project%20a%20b%20{PAGE}.md)").as_bytes(),
        ),
        (&format!("Export/Project a b {PAGE}/photo 1.png"), b"png"),
        (
            &format!("Export/Tasks {BASE}.csv"),
            b"Name,Tags\nBuy milk,home\n",
        ),
        (&format!("Export/Tasks {BASE}_all.csv"), csv.as_bytes()),
        (
            &format!("Export/Tasks {BASE}/Buy milk {ROW}.md"),
            row.as_bytes(),
        ),
        ("Export/.DS_Store", b""),
    ])
    .unwrap();
    assert_eq!(format, Format::Notion);
    // The time of the zone is not a part of the snapshot.
    let text: String = text
        .lines()
        .filter(|line| !line.starts_with("created "))
        .map(|line| line.to_owned() + "\n")
        .collect();
    insta::assert_snapshot!(text);
}

#[test]
fn html_export_is_converted() {
    let page = format!(
        r##"<html><head><meta charset="utf-8"/><title>Project &amp; more</title><style>p {{}}</style></head><body>
<article id="x" class="page sans"><header><div class="page-header-icon undefined"><span class="icon">🚀</span></div>
<h1 class="page-title">Project &amp; more</h1><p class="page-description"></p>
<table class="properties"><tbody>
<tr class="property-row property-row-multi_select"><th><span class="icon property-icon"></span>Tags</th><td><span class="selected-value select-value-color-blue">a</span><span class="selected-value">b, c</span></td></tr>
<tr class="property-row property-row-checkbox"><th>Done</th><td><div class="checkbox checkbox-on"></div></td></tr>
<tr class="property-row property-row-date"><th>Due</th><td><time>@June 1, 2023</time></td></tr>
<tr class="property-row property-row-relation"><th>Parent</th><td><a href="Sub%20{SUB}.html">Sub</a></td></tr>
</tbody></table></header><div class="page-body">
<p id="1">Text with <mark class="highlight-red">red</mark>, <code>code</code> and <a href="Sub%20{SUB}.html">a page</a>.</p>
<ul id="2" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span></li></ul>
<ul id="3" class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">open</span></li></ul>
<ul id="4" class="bulleted-list"><li style="list-style-type:disc">one</li></ul>
<ul id="5" class="bulleted-list"><li style="list-style-type:disc">two<ul class="bulleted-list"><li>three</li></ul></li></ul>
<ol type="1" class="numbered-list" start="1"><li>first</li></ol><ol type="1" class="numbered-list" start="2"><li>second</li></ol>
<ul class="toggle"><li><details open=""><summary>Toggle</summary><p>inside</p></details></li></ul>
<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%"><p>Careful</p></div></figure>
<figure class="equation"><style>x</style><div class="equation-container"><span class="katex"><math><semantics><mrow></mrow><annotation encoding="application/x-tex">e=mc^2</annotation></semantics></math></span></div></figure>
<figure id="6"><div class="source"><a href="https://example.org/a.pdf">https://example.org/a.pdf</a></div></figure>
<figure class="image"><a href="Project%20{PAGE}/p.png"><img style="width:240px" src="Project%20{PAGE}/p.png"/></a><figcaption>A caption</figcaption></figure>
<figure><a href="https://example.org" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">Example</div></div></div></a></figure>
<div class="column-list"><div class="column" style="width:50%"><p>left</p></div><div class="column"><p>right</p></div></div>
<pre class="code code-wrap"><code class="language-Python">print(1)
</code></pre><blockquote>quoted</blockquote><hr/>
<table class="simple-table"><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody></table>
<p><a href="Missing%20{ROW}.html">gone</a></p></div></article></body></html>"##
    );
    let (format, text) = read_zip(&[
        (&format!("Project {PAGE}.html"), page.as_bytes()),
        (&format!("Sub {SUB}.html"), b"<html><head><title>Sub</title></head><body><article><div class=\"page-body\"></div></article></body></html>"),
        (&format!("Project {PAGE}/p.png"), b"png"),
        ("index.html", b"<html></html>"),
    ])
    .unwrap();
    assert_eq!(format, Format::Notion);
    insta::assert_snapshot!(text);
}

#[test]
fn ids_are_removed_from_names() {
    #[track_caller]
    fn check(name: &str, title: &str, id: Option<&str>) {
        assert_eq!(split_id(name), (title.to_owned(), id.map(str::to_owned)));
    }
    check(&format!("A page {PAGE}"), "A page", Some(PAGE));
    check(&format!("A-page-{PAGE}"), "A-page", Some(PAGE));
    check(&format!("Base {PAGE}_all"), "Base", Some(PAGE));
    check(PAGE, "Untitled", Some(PAGE));
    check(&format!("x{PAGE}"), &format!("x{PAGE}"), None);
    check(
        "京都の庭園についての長い名前をもつページである",
        "京都の庭園についての長い名前をもつページである",
        None,
    );
}

#[test]
fn dates_and_numbers_are_told_by_their_form() {
    assert!(properties::date("June 1, 2023").is_some());
    assert!(properties::date("2023年6月1日").is_some());
    assert!(properties::date_time("June 1, 2023 10:05 AM").is_some());
    assert!(properties::date("some day").is_none());
    assert!(is_number("-1.5") && is_number("0"));
    assert!(!is_number("007") && !is_number("1e5") && !is_number("1."));
}
