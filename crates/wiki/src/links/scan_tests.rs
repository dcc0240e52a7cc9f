//! Every way to write a link, and text that looks like a link and is none.

use super::*;

/// Returns the text with each destination in guillemets, its tail after a broken bar.
fn marked(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for written in scan(text) {
        out += &text[at..written.range.start];
        out += "«";
        out += &text[written.range.start..written.tail];
        if written.tail < written.range.end {
            out += "¦";
            out += &text[written.tail..written.range.end];
        }
        out += "»";
        at = written.range.end;
    }
    out + &text[at..]
}

#[track_caller]
fn check(expected: &str) {
    let text = expected.replace(['«', '¦', '»'], "");
    assert_eq!(marked(&text), expected, "{text:?}");
}

#[test]
fn inline_links_and_pictures() {
    check("[a](«/b»)");
    check("[a](«/b¦?c#d»)");
    check("![a](«/b»)");
    check("[](«/b»)");
    check("[a](</b c>)".replace("</b c>", "<«/b c»>").as_str());
    check("[a](  «/b»  )");
    check("[a](«/b» \"title (x)\")");
    check("[a](«/b» 'title')");
    check("[a](«/b» (title))");
    check("[a](«/b(c)d»)");
    check("[a](«/b\\)c»)");
    check("[a](«/b&amp;c»)");
    check("[a](«/b\\#c¦#d»)".replace("\\#c¦#d", "¦\\#c#d").as_str());
    check("[a\\]](«/b»)");
    check("[a](«/b»)[c](«/d»)");
    check("[a **b** `c`](«/d»)");
    check("[![alt](«/img»)](«/page»)");
    check("[日本語](«/旅/京都»)を見る");
    check("[a](«#b»)".replace("«#b»", "«¦#b»").as_str());
}

#[test]
fn definitions() {
    check("[a][r]\n\n[r]: «/b»");
    check("[a][r]\n\n[r]: <«/b c»> 'title'");
    check("[r]:\n   «/b»\n   'title'\n\n[r]");
    check("[r]: «/b»\n[r]: /c\n\n[r]");
    check("> [r]: «/b»\n>\n> [r]");
    check("> [r]:\n> «/b»\n\n[r]");
    check("[r\\]]: «/b»\n\n[r\\]]");
    check("[^1]: /b\n\n[^1]");
}

#[test]
fn wiki_links() {
    check("[[«/a»]]");
    check("[[«/a b»|c]]");
    check("[[ «/a» | c ]]");
    check("[[«/a¦#b»]]");
    check("[[[«/a»]]]");
    check("x[[«/a»]][[«/b»]]");
    check("[[«page:01ARZ3NDEKTSV4RRFFQ69G5FAV»]]");
    check("[[«PAGE:x»]]");
    check("[a [[«/b»]] c](/d)");
    check("[[«/a»]](/b)");
    check("**[[«/a»]]**");
    check("[[«/a»|`b`]]");
    check("[[«/a*b»]]*");
    check("[[a]] [[1, 2]] [[]] [[/a");
    check("[[/a\n]]");
    check("\\[[/a]] \\\\[[«/b»]]");
    check("![[/a]](«/b»)");
    check("![[«/a»]]");
    check("^[[/a]]");
}

#[test]
fn code_html_and_front_matter_are_text() {
    check("`[a](/b)` ``[[/a]]``");
    check("```\n[a](/b)\n[[/a]]\n```\n[a](«/b»)");
    check("~~~ [a](/b)\n[[/a]]");
    check("    [a](/b)\n    [[/a]]");
    check("<b title='[a](/b)'>");
    check("<!-- [[/a]] [a](/b) -->");
    check("<div>\n[a](/b) [[/a]]\n</div>\n\n[a](«/b»)");
    check("---\n[a]: /b\nc: [[/d]]\n---\n[a](«/b»)");
    check("---\r\nc: [[/d]]\r\n--- \r\n[a](«/b»)");
    check("---\n---\n[a](«/b»)");
    check("text\n---\n[[«/d»]]\n---\n");
    check("---\n[[«/d»]]\n");
    check("`[[/a` b]]");
}

#[test]
fn quotes_lists_tables_and_line_endings() {
    check("> [a](\n> «/b»\n> )");
    check("> [a\n> ](«/b»)");
    check("- [a](\n  «/b»)\n- [[«/c»]]");
    check("[a](\r\n«/b»\r\n\"t\")\r\n[[«/c»]]");
    check("| a | b |\n| - | - |\n| [a](«/b») | [[«/c»\\|d]] |");
    check("| a | b | c |\n| - | - | - |\n| [[/c|d]] | [[«/e»]] |");
    check("# [a](«/b»)\n\n[a](«/b»)\n===");
    check("a[^1]\n\n[^1]: [b](«/c»)");
}

#[test]
fn bare_addresses_extend_to_their_end() {
    check("https://example.org/[a](/b) [c](«/d»)");
    check("https://example.org/[[/a]] [[«/b»]]");
    check("HTTP://example.org/([[/a)");
    check("xhttp://e[a](«/b»)");
    check("https://e.org/を[a](«/b»)");
    check("[https://e.org](«/b»)[c](«/d»)");
    check("[a](«https://e.org»)[b](«/c»)");
}

#[test]
fn titles_may_span_lines() {
    check("[a](«/b» \"x\ny\")");
    check("[a](/b \"x\n\ny\")");
    check("[a](/b \"x [c](«/d» 't')");
    check("[a](«/b» \"t \") [c](«/d» 'it\\'s')");
    check("[a](</b>\"t\")");
    check(&format!("[a](«/b» \"{}\")", "x\n".repeat(200)));
}

#[test]
fn deeply_nested_blocks_are_not_read() {
    check(&format!("{}[a](«/b»)", "> ".repeat(99)));
    check(&format!("{}[a](/b)", "> ".repeat(100)));
    check(&format!("{}[a](«/b»)", "- ".repeat(49)));
    check(&format!("{}[a](/b)", "- ".repeat(50)));
    check(&format!("{}\n\n[a](«/b»)", "- ".repeat(100)));
    check(&format!("{}\n\n[a](«/b»)", "-".repeat(100)));
}

#[test]
fn formulas_are_text() {
    check(r"$\mathcal{F}[f](x)$ [a](«/b»)");
    check("$$[f](x)$$ and [a](«/b»)");
    check("$$\n[f](x)\n[[/a]]\n$$\n[a](«/b»)");
    check("> $$\n> [f](x)\n> $$\n>\n> [a](«/b»)");
    check("- $$\n  [f](x)\n  $$\n- [a](«/b»)");
    check("text\n$$\n[f](x)\n$$");
    check("$P[A](2026)$ [$x$](«/b»)");
    check("| $[f](x)$ | [a](«/b») |\n|-|-|\n| $[f](x)$ | [a](«/b») |");
    check(
        "[a$]($b) [c](«/d»)"
            .replace("[a$]($b)", "[a$](«$b»)")
            .as_str(),
    );
    check("`$`[a](«/b»)`$`");
    check(r"\$[a](«/b»)\$");
}

#[test]
fn prices_are_no_formulas() {
    check("$2 [a](«/b») $3");
    check("US$[a](«/b»)$");
    check("$ [a](«/b»)$");
    check("$[a](«/b») $");
    check("$[a](«/b»)$1");
    check("$$\n[a](«/b»)");
    check(&format!("${}[a](/b)$", "x".repeat(1_992)));
    check(&format!("${}[a](«/b»)$", "x".repeat(1_993)));
}

#[test]
fn byte_order_marks_are_no_text() {
    check("\u{FEFF}---\na: [b](/c)\n---\n[a](«/b»)");
    check("\u{FEFF}```\n[a](/b)\n```\n[a](«/b»)");
    check("\u{FEFF}# [a](«/b»)");
}

#[test]
fn all_line_breaks_end_lines() {
    check("```\r[a](/b)\r```\r[a](«/b»)");
    check("x\r[a](«/b»)\r\n[c](«/d»)");
    check("    [a](/b)\r\r[c](«/d»)");
    check("[r]: «/b»\r[r]");
    check("| [a](«/b») |\r|-|\r| [c](«/d») |\r");
}

#[test]
fn html_ends_as_in_the_browser() {
    check(
        "<script></pre>\n[a](/b)\n</script>\n[c](«/d»)"
            .replace("[a](/b)\n</script>\n", "[a](«/b»)\n</script>\n")
            .as_str(),
    );
    check("<pre>\n\n[a](/b)\n</pre>\n[c](«/d»)");
    check("<a title=\"[a](/b)\">[c](«/d»)</a>");
    check(
        "<![CDATA[ [a](/b) ]]> [c](«/d»)"
            .replace("[c](«/d»)", "[c](/d)")
            .as_str(),
    );
    check("x <?[a](/b)?> <!X [a](/b)> [c](«/d»)");
    check("</div [a](«/b»)".replace("[a](«/b»)", "[a](/b)").as_str());
}

#[test]
fn definitions_are_read_as_in_the_browser() {
    check("```\n[r]: /b\n```\n[r]");
    check("    [r]: /b\n\n[r]");
    check("text\n[r]: /b\n\n[r]");
    check("[r]: «/b»\n    [[«/a»]]".replace("«/a»", "/a").as_str());
    check("[r]: «/b» x\n\n[r]".replace("«/b»", "/b").as_str());
    check("- [r]: «/b»\n  'title'\n\n[r]");
    check("[^n]: [r]: «/b»\n\n[r] [^n]");
    check("$$\n[r]: /b\n$$");
}

#[test]
fn bare_addresses_need_their_scheme() {
    check("\\http://[](«t»)");
    check("[http://e.org/[x](/a)](/b)");
    check("http:[x](«/a») http:/[x](«/a»)");
}

#[test]
fn autolinks() {
    check("<«page:01ARZ3NDEKTSV4RRFFQ69G5FAV»>");
    check("<«https://example.org/»>");
    check("<aya@example.org>");
}
