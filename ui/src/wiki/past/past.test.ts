import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, type Mock, vi } from "vitest";
import type { VisitedPage } from "../../api/backend";
import { FakeServer } from "../../testing/fake-server";
import { fail } from "../../testing/server";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";

const AT = "2026-05-12T05:30:00Z";

let server: FakeServer;
let host: StubHost;
let onread: Mock<(page: VisitedPage) => void>;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", `/wiki/p?at=${AT}`);
  server = new FakeServer();
  host = new StubHost();
  onread = vi.fn();
  server.on("GET /api/pages/resolve", ({ query }) => {
    if (query.at !== AT) throw new Error("BUG: the present was asked");
    const page = server.at(query.path ?? "") ?? fail("page_not_found");
    return { id: page.id, revision: 1, title: null };
  });
});

const open = (path = "/p") => render(WikiView, { path, revision: null, preloaded: null, at: AT, backend: server.backend, host, onread });
const body = () => screen.findByTestId("page-body");

describe("a page as of a moment", () => {
  it("names the moment, and leads back", async () => {
    const page = server.add("/p", "# Title\n\ntext");
    open();
    await body();
    expect(screen.getByTestId("past").textContent).toContain("The wiki as of May 12, 2026");
    page.path = "/moved";
    server.on("GET /api/pages/{page_id}/path", () => ({ path: "/moved" }));
    await fireEvent.click(screen.getByTestId("past-back"));
    await vi.waitFor(() => expect(host.visited).toEqual(["/wiki/moved"]));
  });

  it("can't be changed, and isn't a visit", async () => {
    const page = server.add("/p", "- [ ] task");
    await server.backend.autosave.put(page.id, "tab", { path: "/p", base_revision: 1, source: "unsaved", seq: 1 });
    open();
    await body();
    expect(host.actions.map(({ id }) => id)).not.toContain("edit");
    expect(screen.getByRole("checkbox").getAttribute("aria-disabled")).toBe("true");
    expect(screen.queryByTestId("autosave-offer")).toBeNull();
    expect(onread).not.toHaveBeenCalled();
    expect(host.statusItems[0]?.text).toBe("Read-only");
  });

  it("has links and pictures of that moment", async () => {
    server.add("/to", "# To");
    server.add("/p", "[a](/to#part) [b](/none) ![c](asset:c.png)");
    open();
    const shown = await body();
    const link = (index: number) => shown.querySelectorAll("a")[index];
    await vi.waitFor(() => expect(link(1)?.className).toBe("none"));
    expect(link(0)?.getAttribute("href")).toBe(`/wiki/to?at=${AT}#part`);
    expect(link(1)?.getAttribute("href")).toBe(`/wiki/none?at=${AT}`);
    expect(link(1)?.title).toBe("No page at that time");
    expect(shown.querySelector("img")?.getAttribute("src")).toContain(`&at=${encodeURIComponent(AT)}`);
  });

  it("has words for a lost picture", async () => {
    server.add("/p", "![moss](asset:c.png)");
    open();
    const picture = (await body()).querySelector("img");
    await fireEvent.error(picture ?? fail("not_found"));
    expect(screen.getByTestId("page-body").textContent).toBe("Picture not kept as it was thenmossc.png");
  });

  it("has crumbs of that moment", async () => {
    server.add("/a/p", "text");
    open("/a/p");
    await body();
    expect(host.crumbs[0]).toMatchObject({ label: "a", href: `/wiki/a?at=${AT}` });
  });

  it("may not have been there", async () => {
    open();
    expect((await screen.findByTestId("past-none")).textContent).toContain("There was no page at /p on May 12, 2026");
    expect(screen.queryByTestId("page-write")).toBeNull();
  });

  it("may have lost its revisions", async () => {
    server.on("GET /api/pages/resolve", () => fail("gone"));
    open();
    expect((await screen.findByTestId("past-none")).textContent).toContain("were removed");
  });

  it("lists the pages below a missing one", async () => {
    server.add("/p/below", "text");
    open();
    expect((await screen.findByTestId("page-below")).getAttribute("href")).toBe(`/wiki/p/below?at=${AT}`);
  });
});
