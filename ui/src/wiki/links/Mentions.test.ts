import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PageResult } from "../../api/search";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import Mentions from "./Mentions.svelte";

let server: FakeServer;

beforeEach(() => (server = new FakeServer()));
afterEach(() => void vi.useRealTimers());

let host: StubHost;
const open = () => {
  host = new StubHost();
  return render(Mentions, { pageId: "page", path: "/k y", backend: server.backend, host });
};

function mention(path: string, title: string | null, snippet: string, at: [number, number]): PageResult {
  const facts = { kind: "page", page_id: path, deleted: false, moved_from: null, updated: "2026-01-01T00:00:00Z", user_name: "Aya", score: 1 } as const;
  const marked = { text: snippet, highlights: [at] };
  return { ...facts, title: title === null ? null : { text: title, highlights: [] }, path: { text: path, highlights: [] }, snippets: [marked] };
}

function answer(items: PageResult[]): void {
  server.mentions = { items, total: items.length, anchor: null, partial: null };
}

const names = () => screen.queryAllByTestId("mention").map((link) => link.querySelector("b")?.textContent.trim());

it("shows titles and places, opening the page there", async () => {
  answer([mention("/旅/道", "歩いた道", "😀秋の京都へ", [4, 6]), mention("/", null, "京都", [0, 2])]);
  open();
  const [first] = await screen.findAllByTestId("mention");
  expect(names()).toEqual(["歩いた道", "Top page"]);
  expect(first?.querySelector("mark")?.textContent).toBe("京都");
  expect(decodeURIComponent(first?.getAttribute("href") ?? "")).toBe("/wiki/旅/道?find=京都");
});

it("reports that there are none", async () => {
  open();
  await screen.findByTestId("mentions-empty");
});

it("reports a failure, and retries", async () => {
  server.fault = "unreachable";
  open();
  const retry = await screen.findByTestId("mentions-retry");
  server.fault = null;
  answer([mention("/a", "a", "b", [0, 1])]);
  retry.click();
  await screen.findByTestId("mention");
});

it("follows changes of pages", async () => {
  open();
  await screen.findByTestId("mentions-empty");
  answer([mention("/a", "a", "b", [0, 1])]);
  server.emit("page.changed", { page_id: "1", path: "/a", revision: 2, kind: "saved" });
  await screen.findByTestId("mention");
});

it("reports an incomplete search, and asks again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  server.mentions = { items: [], total: 0, anchor: null, partial: { reason: "indexing", indexed: 3, of: 9 } };
  open();
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.getByTestId("mentions-partial").textContent).toContain("3 of 9");
  expect(screen.queryByTestId("mentions-empty")).toBeNull();
  answer([mention("/a", "a", "b", [0, 1])]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names()).toEqual(["a"]);
  expect(screen.queryByTestId("mentions-partial")).toBeNull();
});

it("shows many in parts, focusing the first new", async () => {
  answer(Array.from({ length: 13 }, (_, index) => mention(`/${index}`, `${index}`, "b", [0, 1])));
  open();
  const section = await screen.findByTestId("mentions");
  const more = await within(section).findByTestId("mentions-more");
  expect(names()).toHaveLength(10);
  await userEvent.click(more);
  expect(names()).toHaveLength(13);
  expect(document.activeElement?.textContent).toContain("10");
  expect(screen.queryByTestId("mentions-more")).toBeNull();
});

it("links the words by a button, undoably", async () => {
  const page = server.add("/a", "秋の京都へ。");
  answer([{ ...mention("/a", "旅", "秋の京都へ。", [2, 4]), page_id: page.id, mention: { start: 2, words: "京都", in_table: false } }]);
  open();
  const button = await screen.findByTestId("mention-link");
  expect(button.getAttribute("aria-label")).toBe("Link “京都” to this page");
  answer([]);
  await userEvent.click(button);
  await screen.findByTestId("mentions-empty");
  expect(server.at("/a")?.source?.text).toBe("秋の[[/k y|京都]]へ。");
  expect(host.toasts).toEqual(["Linked in 旅"]);
  await host.open[0]?.options.undo?.();
  expect(server.at("/a")?.source?.text).toBe("秋の京都へ。");
});

it("words that have moved stay as they are", async () => {
  const page = server.add("/a", "前。秋の京都へ。");
  answer([{ ...mention("/a", null, "秋の京都へ。", [2, 4]), page_id: page.id, mention: { start: 2, words: "京都", in_table: false } }]);
  open();
  await userEvent.click(await screen.findByTestId("mention-link"));
  expect(host.toasts).toEqual(["/a has changed in the meantime. The list is up to date again."]);
  expect(server.at("/a")?.source?.text).toBe("前。秋の京都へ。");
});

it("a link in a table has no bar", async () => {
  const page = server.add("/a", "| Kyoto |");
  answer([{ ...mention("/a", null, "Kyoto", [0, 5]), page_id: page.id, mention: { start: 2, words: "Kyoto", in_table: true } }]);
  open();
  await userEvent.click(await screen.findByTestId("mention-link"));
  await vi.waitFor(() => expect(server.at("/a")?.source?.text).toBe("| [Kyoto](/k%20y) |"));
});
