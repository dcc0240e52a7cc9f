import { openSearchPanel, SearchQuery, setSearchQuery } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it } from "vitest";
import "../../testing/ranges";
import { find } from "./find";

let view: EditorView;
afterEach(() => view.destroy());

async function count(doc: string, search: string, anchor: number, head: number): Promise<string | null | undefined> {
  view = new EditorView({ parent: document.body, state: EditorState.create({ doc, selection: { anchor, head }, extensions: find({}) }) });
  openSearchPanel(view);
  view.dispatch({ effects: setSearchQuery.of(new SearchQuery({ search })) });
  await Promise.resolve();
  return view.dom.querySelector(".cm-search .cm-search-count")?.textContent;
}

it.each([
  ["at a match, its number and the total", "a b a b a", "a", 4, 5, "2 of 3"],
  ["elsewhere, the total", "a b a b a", "a", 2, 2, "3"],
  ["nothing found", "a", "x", 0, 0, "0"],
  ["more matches than anyone counts", "a".repeat(2000), "a", 0, 0, "1000+"],
])("%s", async (_name, doc, search, anchor, head, expected) => {
  expect(await count(doc, search, anchor, head)).toBe(expected);
});

it("follows changes of the text", async () => {
  await count("a a", "a", 0, 0);
  view.dispatch({ changes: { from: 0, insert: "a " } });
  expect(view.dom.querySelector(".cm-search-count")?.textContent).toBe("3");
});
