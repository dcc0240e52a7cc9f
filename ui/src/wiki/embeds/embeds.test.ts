import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";

let server: FakeServer;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/wiki/p");
  server = new FakeServer();
});

/** Opens the page, and returns its boxes when each has its content. */
async function boxesOf(source: string, path = "/p"): Promise<HTMLElement[]> {
  server.add(path, source);
  render(WikiView, { path, revision: null, preloaded: null, backend: server.backend, host: new StubHost() });
  const body = await screen.findByTestId("page-body");
  const boxes = () => [...body.querySelectorAll<HTMLElement>(".embed-box")];
  await vi.waitFor(() => {
    expect(boxes().length).toBeGreaterThan(0);
    for (const box of boxes()) expect(box.querySelector(":scope > :is(.embed-body, .embed-note)")).not.toBeNull();
  });
  return boxes();
}

const contents = (box: HTMLElement | undefined) => box?.querySelector(":scope > :is(.embed-body, .embed-note)")?.textContent.trim();

it("shows a page below a link, without title", async () => {
  server.add("/a", "# Title\n\ntext [b](b)\n\n- [ ] task");
  const [box] = await boxesOf("![[/a]]");
  expect(box?.querySelector("a.embed")?.getAttribute("href")).toBe("/wiki/a");
  expect(box?.querySelector(".embed-body")?.textContent.replace(/\s+/g, " ").trim()).toBe("text b task");
  expect(box?.querySelector(".embed-body a")?.getAttribute("data-wiki-path")).toBe("/b");
  expect(box?.querySelector("[data-task]")).toBeNull();
});

it.each([
  ["a section", "![[/a#two words]]", "Two wordstwoInnerinner"],
  ["a nested section", "![[/a#Two words#Inner]]", "Innerinner"],
  ["a paragraph", "![[/a#^p1]]", "one"],
  ["an item", "![[/a#^i1]]", "item"],
  ["a block in short form", "![[/a^p1]]", "one"],
  ["a list named behind it", "![[/a^l1]]", "item\nother"],
])("shows %s", async (_part, source, expected) => {
  server.add("/a", "# Title\n\none ^p1\n\n## Two words\n\ntwo\n\n### Inner\n\ninner\n\n## Three\n\n- item ^i1\n- other\n\n^l1");
  const [box] = await boxesOf(source);
  expect(contents(box)).toBe(expected);
});

it("says why nothing is shown", async () => {
  server.add("/a", "text");
  const boxes = await boxesOf("![[/none]]\n\n![[/a#b]]\n\n![[/p]]");
  expect(boxes.map(contents)).toEqual([
    "This page doesn’t exist yet.",
    "The page has no part named “b”.",
    "This page already contains this part.",
  ]);
});

it("ends cycles and depths with the reason", async () => {
  server.add("/a", "A ![x](y)\n\n![[/b]]");
  server.add("/b", "B\n\n![[/a]]");
  const cycle = await boxesOf("![[/a]]");
  expect(contents(cycle.at(-1))).toBe("This page already contains this part.");
  expect(cycle).toHaveLength(3);
});

it("limits the depth", async () => {
  for (const level of [1, 2, 3, 4, 5]) server.add(`/l${level}`, `![[/l${level + 1}]]`);
  const boxes = await boxesOf("![[/l1]]");
  expect(contents(boxes.at(-1))).toBe("Pages within pages are shown up to 4 levels deep.");
  expect(boxes).toHaveLength(5);
});

it("follows changes of the embedded page", async () => {
  const page = server.add("/a", "old");
  const [box] = await boxesOf("![[/a]]");
  server.overwrite(page, "new", "Aya");
  server.emit("page.changed", { page_id: page.id, path: "/a", revision: 2, kind: "saved" });
  await vi.waitFor(() => expect(contents(box)).toBe("new"));
});
