import { expect, it } from "vitest";
import { t } from "../../i18n";
import { faultWords } from "./fault-words";

// The messages of the server's parser.
it.each([
  ["mapping values are not allowed in this context", "A value with a colon needs quotation marks."],
  ["tab cannot be used as indentation", "Lines are indented with blanks, not with tabs."],
  ["while parsing a quoted scalar, found unknown escape character", "A backslash in double quotation marks has a special meaning: write it twice, or use single quotation marks."],
  ["while scanning a quoted scalar, found unexpected end of stream", "The closing quotation mark is missing."],
  ["while parsing a block mapping, did not find expected key", "The text after a quotation mark or a value doesn’t belong to it."],
  ["while parsing a flow sequence, expected ',' or ']'", "A comma or a closing bracket is missing."],
  ["while parsing node, found unknown anchor", "A value that begins with * or & needs quotation marks."],
  ["simple key expect ':'", "The colon after the name of a field is missing."],
  ["wrongly indented line in block scalar", "The indentation doesn’t fit the lines before."],
  ["a second document begins here", "A second block of fields begins here; there can be only one."],
  ["“a” occurs twice", "The field “a” occurs twice."],
  ["unexpected character: `@'", "A value that begins with @ needs quotation marks."],
  ["recursion limit exceeded", "recursion limit exceeded"],
])("%s", (reason, expected) => {
  expect(faultWords(reason, t)).toBe(expected);
});
