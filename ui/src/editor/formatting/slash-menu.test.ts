import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, it, vi } from "vitest";
import "../../testing/ranges";
import { slashMenu } from "./slash-menu";

const run = vi.fn();
const ITEMS = [
  { label: "見出し 1", keys: "Ctrl 1", aliases: ["h1", "heading 1"], run },
  { label: "表", aliases: ["table"], run },
];

function offered(before: string, after = ""): string[] | undefined {
  const state = EditorState.create({ doc: before + after });
  return slashMenu(new CompletionContext(state, before.length, false), ITEMS)?.options.map(({ label }) => label);
}

it.each([
  ["/", ["見出し 1", "表"]],
  ["text\n/見", ["見出し 1"]],
  ["> /tab", ["表"]],
  ["/Ｈ１", ["見出し 1"]],
])("after %j it offers %j", (before, expected) => {
  expect(offered(before)).toEqual(expected);
});

it.each(["a /", "//", "/usr/", "/none", "a", "/ "])("after %j it offers nothing", (before) => {
  expect(offered(before)).toBeUndefined();
});

it("removes the typed text and runs", () => {
  const view = new EditorView({ state: EditorState.create({ doc: "a\n/ta", selection: { anchor: 5 } }) });
  const result = slashMenu(new CompletionContext(view.state, 5, false), ITEMS);
  const [option] = result?.options ?? [];
  if (typeof option?.apply !== "function" || !result) throw new Error("no option");
  option.apply(view, option, result.from, 5);
  expect(view.state.doc.toString()).toBe("a\n");
  expect(run).toHaveBeenCalledWith(view);
  view.destroy();
});
