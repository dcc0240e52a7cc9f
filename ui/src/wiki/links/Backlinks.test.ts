import { render, screen } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import Backlinks from "./Backlinks.svelte";

let server: FakeServer;

beforeEach(() => (server = new FakeServer()));

function open(): StubHost {
  const host = new StubHost();
  render(Backlinks, { pageId: "page", backend: server.backend, host });
  return host;
}

const names = () => screen.queryAllByTestId("backlink").map((link) => link.querySelector("b")?.textContent);

it("names pages by title, else by path", async () => {
  server.backlinks = [
    { page_id: "1", path: "/旅/京都", title: "秋の庭" },
    { page_id: "2", path: "/旅/道" },
    { page_id: "3", path: "/" },
  ];
  open();
  await screen.findByText("秋の庭");
  expect(names()).toEqual(["秋の庭", "道", "Top page"]);
  expect(screen.getAllByTestId("backlink")[0]?.getAttribute("href")).toBe("/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD");
});

it("reports that there are none", async () => {
  open();
  await screen.findByTestId("backlinks-empty");
});

it("reports a failure, and retries", async () => {
  server.fault = "unreachable";
  open();
  const retry = await screen.findByTestId("backlinks-retry");
  server.fault = null;
  server.backlinks = [{ page_id: "1", path: "/a" }];
  retry.click();
  await screen.findByTestId("backlink");
});

it("follows changes elsewhere", async () => {
  open();
  await screen.findByTestId("backlinks-empty");
  server.backlinks = [{ page_id: "1", path: "/a" }];
  server.emit("page.changed", { page_id: "1", path: "/a", revision: 2, kind: "saved" });
  await screen.findByTestId("backlink");
  server.backlinks = [];
  server.emit("resync", {});
  await vi.waitFor(() => expect(names()).toEqual([]));
});

it("shows many in parts, keeping their number", async () => {
  server.backlinks = Array.from({ length: 60 }, (_, index) => ({ page_id: `${index}`, path: `/${index}` }));
  open();
  (await screen.findByTestId("backlinks-more")).click();
  await vi.waitFor(() => expect(names()).toHaveLength(60));
  expect(screen.queryByTestId("backlinks-more")).toBeNull();
  server.backlinks = server.backlinks.map((link) => ({ ...link, title: "new" }));
  server.emit("resync", {});
  await vi.waitFor(() => expect(names()[59]).toBe("new"));
});

it("a key shows more while there is more", async () => {
  server.backlinks = Array.from({ length: 60 }, (_, index) => ({ page_id: `${index}`, path: `/${index}` }));
  const host = open();
  expect((await screen.findByTestId("backlinks-more")).getAttribute("aria-keyshortcuts")).toBe("m");
  expect(host.named("m")).toBe("Show more links to this page");
  await host.press("m");
  await vi.waitFor(() => expect(names()).toHaveLength(60));
  expect(host.named("m")).toBeUndefined();
});
