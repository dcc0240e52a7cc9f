//! Tests of whole wikis.

use crate::Format;
use crate::testing::{read_file, read_zip};

const TEXT: &str = r##"\define hello(name)
Hi $name$
\end
! Heading
''bold'' //italic// __under__ ~~gone~~ x^^2^^ H,,2,,O `co''de` -- and --- dash &eacute; @@marked@@ @@color:red;red@@
second line CamelCase ~CamelCase OtherWord

* one
** two
*# three
# four
> quoted
; term
: definition
: another

<<<
A quotation

* with list
<<< The author

|!A |!B|h
|[[x|CamelCase]]|1|
|~|2|
|a caption|c

```js
let a = "''";
```

[[CamelCase]] [[label|Missing page]] [ext[web|https://example.org/?a=b]] [[https://example.org]] https://example.org/a_b
[img width=32 [logo|logo.png]] [img[nothing.png]] {{logo.png}}

{{CamelCase}}

{{CamelCase!!field}} {{{ [tag[x]] }}} <<hello "x">> <$list filter="[tag[a>b]]">item</$list> <$link to="CamelCase">link</$link>

<<example "* a
* b">>

<!-- comment --> a<br>b <kbd>k</kbd>

<table><tr><th>x</th></tr><tr><td><a href="#CamelCase">y</a></td></tr></table>

"""
line one
line two
"""
"##;

fn store() -> String {
    let tiddlers = serde_json::json!([
        {"title": "Main", "text": TEXT, "tags": "a [[b c]]", "created": "20230102030405678", "modified": "20230103", "creator": "Me", "rating": "5", "caption": "cap: tion"},
        {"title": "CamelCase", "text": "small", "type": ""},
        {"title": "logo.png", "text": "cG5n", "type": "image/png"},
        {"title": "Drawing", "text": "<svg/>", "type": "image/svg+xml"},
        {"title": "Broken", "text": "%%%", "type": "image/png"},
        {"title": "Notes in Markdown", "text": "[x](#CamelCase) *y*", "type": "text/x-markdown"},
        {"title": "Data", "text": "{\"a\": 1}", "type": "application/json"},
        {"title": "$:/core", "text": "{}", "type": "application/json"},
        {"title": "Main", "text": "the same title"}
    ]);
    tiddlers.to_string().replace('<', "\\u003C")
}

#[test]
fn html_file_is_converted() {
    let html = format!(
        "<!doctype html><html><head><meta name=\"application-name\" content=\"TiddlyWiki\" /></head><body>\
         <script class=\"tiddlywiki-tiddler-store\" type=\"application/json\">{}</script></body></html>",
        store()
    );
    let (format, text) = read_file("wiki.html", html.as_bytes()).unwrap();
    assert_eq!(format, Format::TiddlyWiki);
    insta::assert_snapshot!(text);
    // The same tiddlers as JSON.
    let (format, json) = read_file("wiki.json", store().as_bytes()).unwrap();
    assert_eq!(format, Format::TiddlyWiki);
    assert_eq!(json.replace("wiki.json", "wiki.html"), text);
}

#[test]
fn store_of_elements_is_read() {
    let html = "<html><head><title>TiddlyWiki</title></head><body><div id=\"storeArea\">\
                <div title=\"A &amp; B\" tags=\"x [[y z]]\" modified=\"202301020304\"><pre>''bold'' &lt;b&gt;\n\ntext</pre></div></div></body></html>";
    let (_, text) = read_file("old.html", html.as_bytes()).unwrap();
    let expected = "=== old.html#A & B → A & B\ncreated -, changed 2023-01-02T03:04:00Z\n---\ntags:\n  - x\n  - y z\n---\n\n# A & B\n\n**bold** \\<b>\n\ntext\n";
    assert_eq!(text, expected);
}

#[test]
fn folder_of_tiddlers_is_read() {
    let (format, text) = read_zip(&[
        (
            "tiddlers/Page.tid",
            b"created: 20230102030405678\ntitle: A page\ntags: x\n\n[img[files/p.png]] [[Other]]",
        ),
        ("tiddlers/Other.tid", b"title: Other\n\ntext"),
        ("files/p.png", b"png"),
        ("files/p.png.meta", b"title: p.png"),
    ])
    .unwrap();
    assert_eq!(format, Format::TiddlyWiki);
    assert!(
        text.contains(
            "![p.png](fumikura-import:files%2Fp.png) [Other](fumikura-import:tiddlers%2FOther.tid)"
        ),
        "{text}"
    );
    assert!(
        text.contains("=== skipped files/p.png.meta: Description"),
        "{text}"
    );
}

#[test]
fn classic_syntax_is_converted() {
    let wiki = r#"<html><script>var version = {title: "TiddlyWiki", major: 2, minor: 8};</script><div id="storeArea">
<div title="Main" tags=""><pre>one
two {{{co''de}}} --gone-- a~~1~~ {{note{text}}} /%hidden%/

{{{
block
  kept
}}}
</pre></div>
<div title="MyPlugin" tags="systemConfig"><pre>// * no list
var a = 1;
</pre></div>
<div title="StyleSheet" tags=""><pre>#id { color: red; }
</pre></div></div></html>"#;
    let (_, text) = read_file("classic.html", wiki.as_bytes()).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn control_characters_in_the_store_are_read() {
    let store = "<meta name=generator content=TiddlyWiki><script class=\"tiddlywiki-tiddler-store\" type=\"application/json\">[{\"title\":\"A\",\"text\":\"x\u{1}\ny\"}]</script>";
    let (_, text) = read_file("a.html", store.as_bytes()).unwrap();
    assert!(text.contains("# A\n\nx y"), "{text}");
    let damaged = store.replace("}]", "");
    let (_, text) = read_file("a.html", damaged.as_bytes()).unwrap();
    assert!(text.contains("=== skipped a.html: Unreadable"), "{text}");
}

#[test]
fn folder_with_a_readme_is_a_wiki() {
    let (format, text) = read_zip(&[
        ("README.md", b"# About"),
        ("tiddlers/a.tid", b"title: A\nlist: [[B c]] D\n\n[[B c]]"),
        (
            "tiddlers/b.tid",
            b"title: B c\nnote: see [[it|A]] and [[gone]]\n\n{{shot.png}}",
        ),
        ("tiddlers/1.png", b"png"),
        ("tiddlers/1.png.meta", b"title: shot.png\ntype: image/png"),
    ])
    .unwrap();
    assert_eq!(format, crate::Format::TiddlyWiki);
    assert!(
        text.contains("![1.png](fumikura-import:tiddlers%2F1.png)"),
        "{text}"
    );
    assert!(
        text.contains("note: \"see [[fumikura-import:tiddlers%2Fa.tid|it]] and gone\""),
        "{text}"
    );
    assert!(
        text.contains(
            "list:\n  - \"[[fumikura-import:tiddlers%2Fb.tid]]\"\n  - \"[[fumikura-import-new:D]]\""
        ),
        "{text}"
    );
}
