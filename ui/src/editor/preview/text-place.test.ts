import { Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { cursorFrom } from "./text-place";

/** The text with a bar where the cursor is. */
function withCursor(text: string, line: number): string {
  const doc = Text.of(text.split("\n"));
  const at = cursorFrom(doc, line);
  return `${doc.sliceString(0, at)}|${doc.sliceString(at)}`;
}

describe("the cursor starts at the end of the first visible line", () => {
  it.each([
    ["at the top", "# Long page\n\ntext", 0, "# Long page|\n\ntext"],
    ["above a heading", "one\n\n## Section 13\n\ntwo", 1.8, "one\n\n## Section 13|\n\ntwo"],
    ["within a line", "one\ntwo three\nfour", 1.5, "one\ntwo three|\nfour"],
    ["above a line of code", "```js\nlet a\n```", 0, "```js\nlet a|\n```"],
    ["above a rule", "---\n\none", 0, "---\n\none|"],
    ["above metadata", "---\ntitle: a\n---\n\n# One", 0, "---\ntitle: a\n---\n\n# One|"],
    ["before a hard break", "one  \ntwo", 0, "one|  \ntwo"],
    ["in an empty text", "", 0, "|"],
    ["below the last text", "one\n\n", 1, "one\n\n|"],
    ["past the end", "# One\n\n", Infinity, "# One\n\n|"],
  ])("%s", (_, text, line, expected) => expect(withCursor(text, line)).toBe(expected));
});
