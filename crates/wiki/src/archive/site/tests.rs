//! The entries of a site, and where they lead.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::ops::ControlFlow;

use crate::archive::ExportForm;
use crate::fixture::{self, TestWiki};

/// Exports the wiki as a site, and returns its entries.
fn site(test: &TestWiki) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let archives = test.wiki.archives();
    let export = archives
        .begin_export(folder.path(), ExportForm::Site)
        .unwrap()
        .with_thumbnails(Box::new(|asset| {
            (asset.mime == "image/tiff").then(|| b"small".to_vec())
        }));
    let mut out = Vec::new();
    let mut watch = |_, _| ControlFlow::Continue(());
    archives.write_export(export, &mut out, &mut watch).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(out)).unwrap();
    let mut entries = BTreeMap::new();
    for index in 0..archive.len() {
        let mut contents = Vec::new();
        let mut entry = archive.by_index(index).unwrap();
        entry.read_to_end(&mut contents).unwrap();
        let contents = String::from_utf8_lossy(&contents).into_owned();
        entries.insert(entry.name().unwrap().into_owned(), contents);
    }
    entries
}

/// Returns the entries that a page leads to, and panics if one of them does not exist.
fn targets(entries: &BTreeMap<String, String>, page: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for attribute in ["href=\"", "src=\""] {
        for rest in entries[page].split(attribute).skip(1) {
            let address = rest.split(['"', '#']).next().unwrap();
            if address.is_empty() || address.starts_with("https:") {
                continue;
            }
            let decoded = percent_encoding::percent_decode_str(address)
                .decode_utf8()
                .unwrap();
            let mut parts: Vec<&str> = page.split('/').collect();
            parts.pop();
            for part in decoded.split('/') {
                match part {
                    ".." => assert!(parts.pop().is_some(), "{page}: {address}"),
                    part => parts.push(part),
                }
            }
            let target = parts.join("/");
            assert!(entries.contains_key(&target), "{page}: {target}");
            targets.push(target);
        }
    }
    targets
}

#[test]
fn site_links_lead_to_its_files() {
    let test = TestWiki::new();
    test.page("/start", "# Start\n\n[[/庭/苔 100%]] [[/none]]\n");
    let moss = test.page(
        "/庭/苔 100%",
        "# Moss & fern\n\n[home](/) [[/start]] [self](#kinds) [file](asset:list.txt) ![[moss.tif]] ![[small.png]]\n\n![[/a.html#part]]\n",
    );
    test.page("/a.html", "no heading\n\n## Part\n\ngreen\n");
    test.page("/a.html/b", "# B\n\n<script>alert(1)</script>\n");
    fixture::file_with(&test.wiki, moss, test.user, "list.txt", b"plain");
    fixture::file_with(&test.wiki, moss, test.user, "moss.tif", b"II*\0\x08\0\0\0");
    fixture::file_with(
        &test.wiki,
        moss,
        test.user,
        "small.png",
        b"\x89PNG\r\n\x1a\n",
    );

    let entries = site(&test);
    let page = "pages/庭/苔 100-.html";
    let from_moss = targets(&entries, page);
    for expected in [
        "index.html",
        "pages.html",
        "pages/start.html",
        "pages/庭/苔 100-.files/list.txt",
        "pages/庭/苔 100-.files/moss.tif",
        "pages/庭/苔 100-.files/small.png",
        "pages/a-html.html",
    ] {
        assert!(
            from_moss.contains(&expected.to_owned()),
            "{expected}: {from_moss:?}"
        );
    }
    assert!(
        from_moss
            .iter()
            .any(|target| target.starts_with("thumbnails/"))
    );
    assert!(entries[page].contains("<p>green</p>"), "{}", entries[page]);
    assert!(targets(&entries, "pages/start.html").contains(&page.to_owned()));
    assert!(entries["pages/start.html"].contains("<a>none</a>"));
    assert!(entries["pages/a-html.html"].contains("<h1>a.html</h1>"));
    assert!(targets(&entries, "pages/a-html/b.html").contains(&"pages/a-html.html".to_owned()));
    assert!(!entries["pages/a-html/b.html"].contains("alert"));
    let index = targets(&entries, "index.html");
    assert!(index.contains(&page.to_owned()), "{index:?}");
    let search = &entries["site/search-data.js"];
    assert!(
        search.contains("Moss & fern") && search.contains("no heading"),
        "{search}"
    );
}

#[test]
fn tree_of_a_site_is_balanced() {
    let test = TestWiki::new();
    for path in ["/a", "/a/b/c", "/a/d", "/e", "/f/g"] {
        test.page(path, "# x\n");
    }
    let index = &site(&test)["index.html"];
    let nav = index
        .split("<nav>")
        .nth(1)
        .unwrap()
        .split("</nav>")
        .next()
        .unwrap();
    let tags = |tag: &str| nav.matches(tag).count();
    assert_eq!((tags("<ul>"), tags("<li>")), (tags("</ul>"), tags("</li>")));
    assert!(
        nav.contains(
            "<li>b\n<ul>\n<li><a href=\"pages/a/b/c.html\">x</a></li>\n</ul>\n</li>\n<li>"
        ),
        "{nav}"
    );
}

#[test]
fn properties_and_page_lists_are_written() {
    let test = TestWiki::new();
    test.page(
        "/books/a",
        "---\nrating: 5\nread: true\nby: \"[[/people/x]]\"\ntags: [novel]\n---\n# First & best\n",
    );
    test.page("/books/b", "---\nrating: 3\n---\n# Second\n\n#novel\n");
    test.page("/people/x", "# X\n");
    test.page(
        "/list",
        "# List\n\n```pages\nfrom: /books\nwhere: rating >= 4\ncolumns: title, rating, read, by, tags\n```\n\n\
         ```pages\ntag: novel\nsort: rating\ncolumns: path\nlimit: 1\n```\n\n```pages\nsearch: second\n```\n\n\
         ```pages\nlinked: here\n```\n\n```pages\nfrom: nowhere\n```\n",
    );
    let entries = site(&test);
    let book = &entries["pages/books/a.html"];
    let properties = "</h1><dl class=\"properties\">\n<dt>rating</dt><dd>5</dd>\n<dt>read</dt><dd>☑</dd>\n\
         <dt>by</dt><dd><a href=\"../people/x.html\">X</a></dd>\n<dt>tags</dt><dd>#novel</dd>\n</dl>";
    assert!(book.contains(properties), "{book}");
    let list = &entries["pages/list.html"];
    for expected in [
        "<th>Page</th><th>rating</th><th>read</th><th>by</th><th>Tags</th>",
        "<tr><td><a href=\"books/a.html\">First &amp; best</a></td><td>5</td><td>☑</td>\
         <td><a href=\"people/x.html\">X</a></td><td>#novel</td></tr>\n</tbody>",
        "<tr><td><a href=\"books/b.html\">/books/b</a></td></tr>\n</tbody>\n</table>\n\
         <p class=\"missing\">1 of 2 pages</p>",
        "<tr><td><a href=\"books/b.html\">Second</a></td></tr>",
        "<p class=\"missing\">No pages</p>",
        "“nowhere” isn’t a valid value for the option “from”",
    ] {
        assert!(list.contains(expected), "{expected}\n{list}");
    }
    targets(&entries, "pages/list.html");
    targets(&entries, "pages/books/a.html");
    assert!(entries["pages/people/x.html"].contains("<h1 id=\"x\">X</h1>\n"));
}
