import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it, vi } from "vitest";
import "../../../testing/ranges";
import { assetAddress } from "../../../editing/files/asset-link";
import { pageAddress } from "../../../editing/addresses/page-address";
import { dom } from "../../../markdown/testing";
import { complete, type LinkTargets } from "./completion";
import { markdownEditing } from "../markdown-language";

const PAGES = [
  { path: "/旅/京都", title: "京都の旅" },
  { path: "/a (b)", title: null },
];

const names = () => ({
  pages: vi.fn((query: string) => Promise.resolve(query === "nowhere" ? [] : PAGES)),
  files: vi.fn(() => Promise.resolve([{ file_name: "苔 1.png" }, { file_name: "notes.txt" }])),
  headings: vi.fn((path: string, text: () => string) =>
    path === "" && text() === "" ? fail() : Promise.resolve([{ text: "宿 A", slug: "宿-a", level: 2 }, { text: "Food", slug: "food", level: 1 }]),
  ),
  tags: vi.fn(() => Promise.resolve([{ tag: "garden", pages: 2 }, { tag: "旅/京都", pages: 9 }, { tag: "my garden", pages: 5 }, { tag: "gate", pages: 3 }])),
  callouts: () => [{ kind: "note", title: "Note" }, { kind: "warning", title: "警告" }],
  fileAddress: assetAddress,
  pageAddress,
});

function fail(): never {
  throw new Error("the text is not passed");
}

let view: EditorView | undefined;
afterEach(() => view?.destroy());

/** `|` marks the cursor. */
function ask(marked: string, from: LinkTargets = names()): Promise<CompletionResult | null> {
  const at = marked.indexOf("|");
  view = new EditorView({ state: EditorState.create({ doc: marked.replace("|", ""), extensions: markdownEditing() }) });
  return complete(new CompletionContext(view.state, at, false), from);
}

function pick(result: CompletionResult | null, index: number): string {
  const option = result?.options[index];
  if (view === undefined || option === undefined || typeof option.apply !== "function") throw new Error("nothing to pick");
  const to = result?.to ?? view.state.doc.length;
  const from = result?.from ?? 0;
  const end = /[\])]/.exec(view.state.sliceDoc(from))?.index;
  option.apply(view, option, from, end === undefined ? to : from + end);
  return view.state.doc.toString();
}

it.each([
  ["see [[|", "", "see [[/旅/京都]]"],
  ["[[きょう|", "きょう", "[[/旅/京都]]"],
  ["[[き|]] after", "き", "[[/旅/京都]] after"],
  ["[text](|", "", "[text](/旅/京都)"],
  ["[text](/旅|)", "/旅", "[text](/旅/京都)"],
])("%s asks for %j and inserts %s", async (marked, query, expected) => {
  const from = names();
  const result = await ask(marked, from);
  expect(from.pages).toHaveBeenCalledWith(query, expect.any(AbortSignal));
  expect(result?.options.map(({ label, detail }) => [label, detail])).toEqual([
    ["京都の旅", "/旅/京都"],
    ["/a (b)", undefined],
  ]);
  expect(pick(result, 0)).toBe(expected);
});

it.each(["/a|b", "/[a]", "/a]]b", "/100%7C", "/a#b"])("inserts a link that leads to %s", async (path) => {
  const from = { ...names(), pages: () => Promise.resolve([{ path }]) };
  for (const marked of ["[[a|", "[[a|]]", "[t](a|", "[t](a|)"]) {
    const link = dom(pick(await ask(marked, from), 0)).querySelector("a");
    expect(link?.dataset["wikiPath"]).toBe(path);
    view?.destroy();
  }
});

it.each([
  ["[[/旅/京都#|", "/旅/京都", "[[/旅/京都#宿-a]]"],
  ["[[/旅/京都#やど|]]", "/旅/京都", null],
  ["[text](/a%20b#a|)", "/a b", "[text](/a%20b#宿-a)"],
  ["# x\n\n[[#宿|", "", "# x\n\n[[#宿-a]]"],
])("%s offers the headings of %j", async (marked, path, expected) => {
  const from = names();
  const result = await ask(marked, from);
  expect(from.headings).toHaveBeenCalledWith(path, expect.any(Function), expect.any(AbortSignal));
  expect(result?.options[0] === undefined ? null : pick(result, 0)).toBe(expected);
});

it.each([
  ["a #ga|", ["gate", "garden"]],
  ["#京|", ["旅/京都"]],
  ["#garden|", []],
  ["# |", []],
  ["a#ga|", []],
  ["`a #ga|`", []],
])("%s offers the tags %j", async (marked, expected) => {
  expect((await ask(marked))?.options.map(({ label }) => label) ?? []).toEqual(expected);
});

it.each([
  ["> [!|", ["note", "warning"]],
  ["> > [!W|", ["warning"]],
  ["a [!w|", []],
])("%s offers the callouts %j", async (marked, expected) => {
  expect((await ask(marked))?.options.map(({ label }) => label) ?? []).toEqual(expected);
});

it("a chosen callout is closed", async () => {
  expect(pick(await ask("> [!n|"), 0)).toBe("> [!note] ");
});

it("encodes reserved characters only in addresses", async () => {
  expect(pick(await ask("[t](a|"), 1)).toBe("[t](/a%20%28b%29)");
  expect(pick(await ask("[[a|"), 1)).toBe("[[/a (b)]]");
});

it.each([
  ["![](asset:|", ["苔 1.png", "notes.txt"]],
  ["![](asset:苔|", ["苔 1.png"]],
  ["[n](asset:NOTES|", ["notes.txt"]],
])("%s finds the page's files", async (marked, expected) => {
  const result = await ask(marked);
  expect(result?.options.map(({ label }) => label)).toEqual(expected);
});

it("links to a file like the page does", async () => {
  expect(pick(await ask("![](asset:苔|"), 0)).toBe("![](asset:苔%201.png)");
});

it.each(["text|", "[text|", "[[a]] b|", "[t](https://e|", "[t](mailto:a|", "(a|"])("%s requests nothing", async (marked) => {
  const from = names();
  expect(await ask(marked, from)).toBeNull();
  expect(from.pages).not.toHaveBeenCalled();
});

it("typing works without an answer of the server", async () => {
  expect(await ask("[[a|", { ...names(), pages: () => Promise.reject(new Error("down")) })).toBeNull();
});
