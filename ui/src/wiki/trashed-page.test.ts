import { render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../testing/fake-server";
import { StubHost } from "../testing/stub-host";
import { WikiView } from ".";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/wiki/p");
  server = new FakeServer();
  host = new StubHost();
});

const body = () => screen.findByTestId("page-body");

it("a trashed page is read-only and has files", async () => {
  const { id } = server.add("/elsewhere", "![](asset:a.png) [other](asset:/q/a.png) [[/elsewhere#x]]");
  server.trashedFiles.set(id, ["a.png"]);
  server.add("/p", "the page that is there now");
  render(WikiView, { path: "/p", revision: null, preloaded: null, inTrash: id, backend: server.backend, host });
  const article = await body();
  expect(article.querySelector("img")?.getAttribute("src")).toBe(`/api/asset?path=%2Fp&file=a.png&in_bin=${id}`);
  expect(article.querySelector("a")?.getAttribute("href")).toBe(`/api/asset?path=%2Fq&file=a.png&in_bin=${id}`);
  expect(host.actions.map(({ id }) => id)).toEqual(["print", "save-html", "copy-markdown"]);
  expect(host.statusItems[0]).toMatchObject({ text: "In Trash", tone: "plain" });
  server.emit("page.changed", { page_id: "other", path: "/p", revision: 2, kind: "saved" });
  await tick();
  expect(server.requests).not.toContain("/p");
});

it("a trashed page opens the panel for files", async () => {
  const { id } = server.add("/elsewhere", "text");
  render(WikiView, { path: "/p", revision: null, preloaded: null, file: "A1", inTrash: id, backend: server.backend, host });
  await body();
  await vi.waitFor(() => expect(host.panelOpenings).toBe(1));
});
