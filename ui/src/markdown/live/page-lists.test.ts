import { expect, it, vi } from "vitest";
import type { QueriedPage } from "../../api/backend";
import { FakeServer } from "../../testing/fake-server";
import { PageLists } from "./page-lists";

const page = (path: string, properties: QueriedPage["properties"] = []): QueriedPage => ({
  page_id: path,
  path,
  title: null,
  updated: "2026-11-20T09:00:00Z",
  user_name: "Aya",
  tags: ["旅"],
  properties,
});

function open(source: string) {
  const server = new FakeServer();
  const items = [page("/a", [{ name: "due", kind: "date", values: ["2026-11-20"] }])];
  server.on("POST /api/pages/query", () => ({ items, total: items.length }));
  const box = document.createElement("div");
  box.className = "page-list";
  box.innerHTML = "<pre><code></code></pre>";
  const code = box.querySelector("code");
  if (code) code.textContent = source;
  document.body.append(box);
  const ending = new AbortController();
  const lists = new PageLists(server.backend, ending.signal, () => ({ path: "/p", id: "P1" }), null);
  return { server, items, box, lists };
}

const cells = (box: HTMLElement) => [...box.querySelectorAll("td")].map(({ textContent }) => textContent);

it("shows the pages in columns, with links", async () => {
  const { box, lists } = open("columns: title, due, tags");
  await lists.show(document.body);
  expect(cells(box)).toEqual(["a", "Nov 20, 2026", "#旅"]);
  expect([...box.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["/wiki/a", "/search?q=tag%3A%E6%97%85"]);
});

it("follows every change of a page", async () => {
  const { server, items, box, lists } = open("linked: here");
  await lists.show(document.body);
  expect(server.sent("POST /api/pages/query")[0]?.body).toMatchObject({ linked_to: "P1" });
  items.push(page("/b"));
  server.emit("page.changed", { page_id: "B", path: "/b", revision: 1, kind: "created" });
  await vi.waitFor(() => expect(cells(box)).toEqual(["a", "b"]));
});

it("names a bad option, and keeps the source", async () => {
  const { server, box, lists } = open("colour: red");
  await lists.show(document.body);
  expect(box.querySelector("p")?.textContent).toContain("from, tag, where");
  expect(box.querySelector("code")?.textContent).toBe("colour: red");
  expect(server.sent("POST /api/pages/query")).toEqual([]);
});

it("reserved space goes once the pages are there", async () => {
  const { box, lists } = open("limit: 1");
  box.style.minHeight = "400px";
  await lists.show(document.body);
  expect(box.style.minHeight).toBe("");
});
