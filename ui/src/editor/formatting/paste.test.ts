import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it, vi } from "vitest";
import "../../testing/ranges";
import { htmlToMarkdown } from "./html-to-markdown";
import { MAX_HTML, paste } from "./paste";

let view: EditorView;
const onError = vi.fn();
const onTooLong = vi.fn();
afterEach(() => view.destroy());

function editor(doc: string, anchor = 0, head = doc.length): void {
  const extensions = paste(() => Promise.resolve(htmlToMarkdown), { onError, onTooLong });
  view = new EditorView({ parent: document.body, state: EditorState.create({ doc, selection: { anchor, head }, extensions }) });
}

async function pasted(text: string, html = ""): Promise<string> {
  const data: Record<string, string> = { "text/plain": text, "text/html": html };
  const event = new Event("paste", { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { files: [], types: Object.keys(data), getData: (type: string) => data[type] ?? "" } });
  view.contentDOM.dispatchEvent(event);
  await new Promise((resolve) => setTimeout(resolve));
  return view.state.doc.toString();
}

it.each([
  ["moss", "https://example.org/a", "[moss](https://example.org/a)"],
  ["moss", "https://example.org/a_(b)", "[moss](<https://example.org/a_(b)>)"],
  ["https://old.example", "https://example.org", "https://example.org"],
  ["two\nlines", "https://example.org", "https://example.org"],
  ["moss", "not an address", "not an address"],
])("over %j, %j becomes %j", async (selected, text, expected) => {
  editor(selected);
  expect(await pasted(text)).toBe(expected);
});

it.each([
  ["<h2>Moss</h2><p>A <b>b</b> <a href='https://example.org'>c</a></p>", "## Moss\n\nA **b** [c](https://example.org)"],
  ["<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "- a\n- b\n  - c"],
  ["<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "| a   | b   |\n| --- | --- |\n| 1   | 2   |"],
  ["<b style='font-weight:normal'><span style='font-weight:700'>苔</span>の庭</b>", "**苔**の庭"],
  ["<p><a href='javascript:alert(1)'>x</a><img src='data:image/png;base64,AAAA' alt='y'> <i>z</i></p>", "xy *z*"],
  ["<ol start='3'><li>a<p>b</p></li><li>c</li></ol>", "3. a\n\n   b\n4. c"],
  ["<ul><li><input type='checkbox' checked>a</li></ul>", "- [x] a"],
  ["<script>alert(1)</script><p><em>a</em></p>", "*a*"],
])("%j is pasted as Markdown", async (html, expected) => {
  editor("");
  expect(await pasted("plain", html)).toBe(expected);
});

it("Ctrl Shift V pastes plain text", async () => {
  editor("");
  view.contentDOM.dispatchEvent(new KeyboardEvent("keydown", { key: "V", ctrlKey: true, shiftKey: true, bubbles: true }));
  expect(await pasted("plain", "<h1>Moss</h1>")).toBe("plain");
});

it.each([
  ["only text", "<meta charset='utf-8'><span>plain</span>"],
  ["from an editor of code", "<div style='font-family: Menlo, monospace'><b>plain</b></div>"],
])("HTML that is %s is pasted as text", async (_reason, html) => {
  editor("");
  expect(await pasted("plain", html)).toBe("plain");
});

it("a failed conversion pastes plain text, reporting it", async () => {
  view = new EditorView({ parent: document.body, state: EditorState.create({ extensions: paste(() => Promise.reject(new Error("offline")), { onError, onTooLong }) }) });
  expect(await pasted("plain", "<h1>Moss</h1>")).toBe("plain");
  expect(onError).toHaveBeenCalledOnce();
});

it("too long HTML becomes text, reporting it", async () => {
  onTooLong.mockClear();
  editor("");
  expect(await pasted("plain", `<h1>${"x".repeat(MAX_HTML)}</h1>`)).toBe("plain");
  expect(onTooLong).toHaveBeenCalledOnce();
});
