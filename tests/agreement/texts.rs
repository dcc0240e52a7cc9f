//! Random texts of all Markdown constructs in use, and of similar text.

use proptest::prelude::*;
use proptest::sample::select;

/// Links of every form.
const LINKS: &[&str] = &[
    "[x](/a)",
    "[x](</b c>)",
    "[x](/旅/庭 't')",
    "[x](h)",
    "[x](../a?q#f)",
    "![x](/p)",
    "[x](/d\\(e)",
    "[x](/f%25&amp;g)",
    "[x](/a\\",
    "[[/a]]",
    "[[/b c|x]]",
    "[[ /t | y ]]",
    "[[/t\\|y]]",
    "[x][r]",
    "[r]",
    "[r][]",
    "![x][r]",
    "[x [[/a]] y](/b)",
    "[![x](/p)](/q)",
    "[x](page:01ARZ3NDEKTSV4RRFFQ69G5FAV)",
    "<page:01ARZ3NDEKTSV4RRFFQ69G5FAV>",
    "[x](/l\n/m)",
    "[x](\n/n\n'u')",
    "[x]()",
    "[](/e)",
    "[x](<>)",
    "[x](?q)",
    "[x](#f)",
    "[x](/a \"t\ny\")",
    "[x](//h/p)",
    "[x](/a\u{202E}b)",
    "[x](/a\u{7}b)",
];

/// Definitions and footnotes.
const DEFINITIONS: &[&str] = &[
    "[r]: /d\n",
    "[r]: </b c> 't'\n",
    "[r]:\n  /d\n  'u'\n",
    "[R ]: /e\n",
    "[^n]: ",
    "[^n]",
    "^[",
    "[^n]: [x](/n)\n    more [[/m]]\n",
    "[r\\]]: /d\n",
    "[r]: /d 't' x\n",
    "[r]: /d\\\n",
];

/// Marks of constructs in which links are not found.
const OPAQUE: &[&str] = &[
    "`",
    "``",
    "```\n",
    "~~~\n",
    "~~~ [x](/a)\n",
    "    ",
    "\t",
    "$",
    "$$",
    "$$\n",
    " $",
    "$ ",
    "\\$",
    "$2",
    "$[f](x)$",
    "$$[f](x)$$",
    "<",
    ">",
    "</b>",
    "<b>",
    "<b c='",
    "<b c=\"d\">",
    "<div>\n",
    "</div>\n",
    "<script>",
    "</script>",
    "<pre>\n",
    "</pre>",
    "<style>",
    "<!--",
    "-->",
    "<!-->",
    "<?",
    "?>",
    "<!X ",
    "<![CDATA[",
    "]]>",
    "<a>",
    "</a>",
    "<a href='/h'>",
    "<img\n",
    "https://e.org/",
    "http://",
    "://",
    "<https://e.org>",
    "<x@e.org>",
    "<x:y z>",
];

/// Marks of blocks and lines.
const BLOCKS: &[&str] = &[
    "\n",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "> ",
    ">",
    ">\t",
    "- ",
    "-\t",
    "* ",
    "1. ",
    "2) ",
    "  ",
    "   ",
    "# ",
    "## ",
    "#\t",
    "---\n",
    "===\n",
    "***\n",
    "- - -\n",
    "|",
    "|a|b|\n|-|-|\n",
    "a|b\n:-|-:\n",
    "\\|",
    "- [ ] ",
    ": ",
    ":",
    "~ ",
    "x\n: ",
    "x\n\n:   ",
    "> [!note] ",
    "- [x] ",
    "\u{FEFF}",
    "\u{3000}",
    "\u{A0}",
];

/// Marks within lines, and words.
const MARKS: &[&str] = &[
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "]:",
    "[[",
    "]]",
    "|",
    "\\",
    "\\\n",
    "*",
    "**",
    "_",
    "~~",
    "~",
    "==",
    "^a^",
    "~2~",
    "(^o^)",
    "3~5",
    "&",
    "&amp;",
    "&#91;",
    "&lbrack;",
    "\"",
    "'",
    "^",
    "!",
    "page:",
    "asset:x",
    "%20",
    "?",
    "#",
    "日本",
    "、",
    "か\u{3099}",
    "👩‍👧",
    "x",
    "word",
    "2026",
    "\0",
    " ",
    " ",
    ":",
    "/",
];

/// Returns texts of up to 24 pieces, or of nested containers.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => select(LINKS),
        1 => select(DEFINITIONS),
        4 => select(OPAQUE),
        4 => select(BLOCKS),
        4 => select(MARKS),
    ];
    let pieces = prop::collection::vec(piece, 0..24).prop_map(|all| all.concat());
    let nested = (
        prop::collection::vec(select(CONTAINERS), 1..4),
        pieces.clone(),
    )
        .prop_map(|(containers, text)| within(&containers, &text));
    prop_oneof![3 => pieces, 2 => nested]
}

/// Marks of a container's first line, and of its other lines.
const CONTAINERS: &[(&str, &str)] = &[
    ("> ", "> "),
    ("> ", ""),
    ("- ", "  "),
    ("x\n: ", "  "),
    ("x\n\n: ", "  "),
    ("1. ", "   "),
    ("-\t", "\t"),
    ("[^n]: ", "    "),
    ("$$\n", ""),
    ("```\n", ""),
    ("<div>\n", ""),
    ("---\n", ""),
    ("| ", "| "),
    ("*", ""),
];

fn within(containers: &[(&str, &str)], text: &str) -> String {
    containers
        .iter()
        .rev()
        .fold(text.to_owned(), |text, (first, other)| {
            format!("{first}{}", text.replace('\n', &format!("\n{other}")))
        })
}
