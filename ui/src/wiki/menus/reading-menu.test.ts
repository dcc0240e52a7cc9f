import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer } from "../../testing/fake-server";
import { fakeAsset } from "../../testing/fake-assets";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";
import "./reading-menu";
import "../pictures/PictureViewer.svelte";

const TEXT = "text [A](/a#b) [web](https://example.org/)\n\n![Deer](asset:deer.jpg) ![](asset:/other/moss.jpg)";

let host: StubHost;
let server: FakeServer;

beforeEach(() => {
  history.replaceState(null, "", "/wiki/p");
  host = new StubHost();
  server = new FakeServer();
  server.add("/p", TEXT);
  server.add("/a", "# A");
});

function open(path = "/p") {
  render(WikiView, { path, revision: null, preloaded: null, backend: server.backend, host });
}

/** Opens the menu of an element; returns the ids of its actions. */
async function menuOf(element: Element): Promise<string[] | undefined> {
  await fireEvent.contextMenu(element);
  await vi.waitFor(() => expect(host.menu).not.toBeNull());
  return host.menu?.actions.map(({ id }) => id);
}

describe("the menu", () => {
  it("of a link to a page copies it", async () => {
    open();
    expect(await menuOf(await screen.findByRole("link", { name: "A" }))).toEqual(["link-open", "link-tab", "link-beside", "link-copy", "link-copy-markdown", "edit-here"]);
    host.choose("link-tab");
    host.choose("link-beside");
    expect(host.opened).toEqual([`tab ${location.origin}/wiki/a#b`, `beside ${location.origin}/wiki/a#b`]);
    // Without access to the clipboard, the text is shown.
    host.choose("link-copy-markdown");
    host.choose("link-copy");
    await vi.waitFor(() => expect(host.toasts).toEqual(["[[/a#b]]", "/a#b"]));
  });

  it("of an unwritten page offers to write it", async () => {
    server.add("/q", "[[/nowhere]]");
    open("/q");
    const link = await screen.findByTestId("link-unknown");
    await menuOf(link);
    expect(host.menu?.actions[0]?.label).toBe(host.t("wiki.write"));
    expect(link.getAttribute("href")).toBe("/edit/nowhere");
  });

  it("of a web link opens no tab", async () => {
    open();
    expect(await menuOf(await screen.findByText("web"))).toEqual(["link-open", "link-copy", "edit-here"]);
  });

  it("in a browser offers no second pane", async () => {
    host.openBeside = null;
    open();
    expect(await menuOf(await screen.findByRole("link", { name: "A" }))).not.toContain("link-beside");
  });

  it("of a picture shows it and its file", async () => {
    server.on("GET /api/pages/{page_id}/assets", () => [fakeAsset("deer.jpg")]);
    open();
    const [own, other] = await screen.findAllByRole("button", { name: /Enlarge/ });
    expect(await menuOf(own as Element)).toEqual(["picture-enlarge", "picture-file", "picture-save", "picture-copy", "edit-here"]);
    host.choose("picture-enlarge");
    await screen.findByTestId("page-viewer");
    host.menu = null;
    expect(await menuOf(other as Element)).toEqual(["picture-enlarge", "edit-here"]);
  });

  it("of the text opens by a key, too", async () => {
    open();
    await screen.findByRole("link", { name: "A" });
    await host.press("Shift+F10");
    await vi.waitFor(() => expect(host.menu?.actions.map(({ id }) => id)).toEqual(["edit-here", "text-copy-link", "text-copy-markdown", "text-print"]));
  });

  it("of selected text is the system's", async () => {
    open();
    const link = await screen.findByText("web");
    getSelection()?.selectAllChildren(link);
    expect(await fireEvent.contextMenu(link.parentElement as Element)).toBe(true);
    getSelection()?.removeAllRanges();
  });

  it("edits where it was opened", async () => {
    open();
    await menuOf(await screen.findByRole("link", { name: "A" }));
    host.choose("edit-here");
    await vi.waitFor(() => expect(host.visited).toEqual(["/edit/p"]));
  });
});
