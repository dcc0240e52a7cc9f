import { render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import Overview from "./Overview.svelte";

it("lists tags, wanted pages and orphans as links", async () => {
  const backend = new FakeBackend();
  backend.search.tags.mockResolvedValue([{ tag: "夏 旅", pages: 2 }]);
  backend.search.wanted.mockResolvedValue([{ path: "/x", links: 3 }]);
  backend.search.orphans.mockResolvedValue([{ page_id: "1", path: "/a", title: null }]);
  render(Overview, { backend, host: new StubHost() });
  const tag = await screen.findByTestId("overview-tag");
  expect(new URL(tag.getAttribute("href") ?? "", "http://localhost").searchParams.get("q")).toBe('tag:"夏 旅"');
  expect(screen.getByTestId("overview-wanted").getAttribute("href")).toBe("/edit/x");
  expect(screen.getByTestId("overview-orphan").getAttribute("href")).toBe("/wiki/a");
});
