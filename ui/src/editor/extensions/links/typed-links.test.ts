import { undo } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it, vi } from "vitest";
import "../../../testing/ranges";
import { pageAddress } from "../../../editing/addresses/page-address";
import { undoHistory } from "../history";
import { markdownEditing } from "../markdown-language";
import { typedLinks } from "./typed-links";

const PAGES = [
  { path: "/travel/kyoto", title: "Kyoto in Autumn" },
  { path: "/food/kyoto-tofu", title: null },
  { path: "/a/plan", title: "Plan" },
  { path: "/b/plan", title: "ＰＬＡＮ" },
  { path: "/daily/2026-11-29", title: "Sunday" },
];

let view: EditorView | undefined;
afterEach(() => view?.destroy());

async function typing(text: string, answer = () => Promise.resolve(PAGES)) {
  const onAmbiguous = vi.fn();
  const pages = vi.fn(answer);
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({ extensions: [markdownEditing(), undoHistory(), typedLinks({ pages, pageAddress }, onAmbiguous)] }),
  });
  for (const letter of text) view.dispatch({ ...view.state.replaceSelection(letter), userEvent: "input.type" });
  // The answer, and the change after it.
  await new Promise((resolve) => setTimeout(resolve));
  return { text: view.state.doc.toString(), pages, onAmbiguous };
}

it.each([
  ["see [[Kyoto in autumn]]", "see [[/travel/kyoto]]"],
  ["[[kyoto]]", "[[/travel/kyoto]]"],
  ["[[travel/kyoto]]", "[[/travel/kyoto]]"],
  ["[[kyoto|our trip]]", "[[/travel/kyoto|our trip]]"],
  ["[[Kyoto#Day 1#The Inn]]", "[[/travel/kyoto#the-inn]]"],
  ["[[kyoto#^a1]]", "[[/travel/kyoto#^a1]]"],
  ["[[2026-11-29]]", "[[/daily/2026-11-29]]"],
  ["[[新しい 考え]]", "[[/新しい 考え]]"],
])("%s becomes %s", async (typed, expected) => {
  expect((await typing(typed)).text).toBe(expected);
});

it.each(["[[/kyoto]]", "[[page:01ARZ3NDEKTSV4RRFFQ69G5FAV]]", "![[deer.jpg]]", "[[#kyoto]]", "`[[kyoto]]", "[[ ]]"])("%s stays, without a request", async (typed) => {
  const { text, pages } = await typing(typed);
  expect([text, pages.mock.calls]).toEqual([typed, []]);
});

it("a name of several pages is reported", async () => {
  const { text, onAmbiguous } = await typing("[[plan]]");
  expect(text).toBe("[[plan]]");
  expect(onAmbiguous).toHaveBeenCalledWith("plan", 2);
});

it("text stays without an answer", async () => {
  expect((await typing("[[kyoto]]", () => Promise.reject(new Error("down")))).text).toBe("[[kyoto]]");
});

it("links typed quickly are all completed", async () => {
  expect((await typing("a [[Kyoto in autumn]] b [[New idea]] c")).text).toBe("a [[/travel/kyoto]] b [[/New idea]] c");
});

it("one undo gives the typed name back", async () => {
  await typing("[[kyoto]]");
  if (view !== undefined) undo(view);
  expect(view?.state.doc.toString()).toBe("[[kyoto]]");
});
