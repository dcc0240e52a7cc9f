import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer } from "../testing/fake-server";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import { type PreloadedPage, WikiView } from ".";

let server: FakeServer;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "/wiki/p");
  server = new FakeServer();
  host = new StubHost();
});

function open(path = "/p", preloaded: PreloadedPage | null = null) {
  return render(WikiView, { path, revision: null, preloaded, backend: server.backend, host });
}

const body = () => screen.findByTestId("page-body");

describe("a page", () => {
  it("is shown with its heading as the title", async () => {
    server.add("/p", "# 秋の*庭*\n\n苔の緑");
    open();
    expect((await body()).textContent).toBe("苔の緑");
    expect(screen.getByTestId("page-title").textContent.trim()).toBe("秋の庭");
    expect(host.title).toBe("秋の庭");
    expect(screen.getByRole("article").lang).toBe("ja");
  });

  it("shows in the status bar whether it's saved", async () => {
    const page = server.add("/p", "text");
    const { unmount } = open();
    await body();
    expect(host.statusItems.map(({ text, tone }) => [text, tone])).toEqual([
      ["Saved", "good"],
      ["4 characters", undefined],
    ]);
    unmount();
    await server.backend.autosave.put(page.id, "tab", { path: "/p", base_revision: 1, source: "unsaved", seq: 1 });
    open();
    await vi.waitFor(() => expect(host.statusItems[0]).toMatchObject({ text: "Unsaved draft", tone: "warn" }));
    // The server gives no answer for a while.
    server.fault = "unreachable";
    server.emit("page.changed", { page_id: page.id, path: "/p", revision: 1, kind: "saved" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(host.statusItems[0]).toMatchObject({ tone: "warn" });
    server.fault = null;
    // The text is saved in another tab.
    server.entries.length = 0;
    server.overwrite(page, "unsaved", "Aya");
    server.emit("page.changed", { page_id: page.id, path: "/p", revision: 2, kind: "saved" });
    await vi.waitFor(() => expect(host.statusItems[0]).toMatchObject({ text: "Saved", tone: "good" }));
  });

  it("does not scroll after leaving by browser button", async () => {
    const unforeseen = vi.fn();
    process.on("unhandledRejection", unforeseen);
    server.add("/p", "text");
    const { unmount } = open();
    await body();
    dispatchEvent(new PopStateEvent("popstate"));
    unmount();
    await new Promise((resolve) => setTimeout(resolve));
    process.off("unhandledRejection", unforeseen);
    expect(unforeseen).not.toHaveBeenCalled();
  });

  it("has no file key if it is missing", async () => {
    open();
    await screen.findByTestId("page-not-found");
    expect([host.named("a"), host.named("Shift+a")]).toEqual([undefined, undefined]);
  });

  it("stores its position through the frame's router", async () => {
    server.add("/p", "text");
    const onkeep = vi.fn();
    render(WikiView, { path: "/p", revision: null, preloaded: null, backend: server.backend, host, onkeep });
    const room = (await body()).closest(".room");
    if (room === null) throw new Error("the page stands in no room");
    room.scrollTop = 7;
    await fireEvent.scroll(room);
    await vi.waitFor(() => expect(onkeep).toHaveBeenCalledExactlyOnceWith({ scroll: 7 }));
    expect(history.state).toBeNull();
  });

  it("without a heading is named by its path", async () => {
    server.add("/旅/京都", "苔の緑");
    open("/旅/京都");
    await body();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("京都");
    expect(host.title).toBe("京都");
  });

  it("without a text lists the pages below it", async () => {
    server.add("/travel/kyoto", "# Kyoto in Autumn");
    server.add("/travel/old/oslo", "text");
    open("/travel");
    await screen.findByTestId("pages-below");
    const rows = () => screen.getAllByTestId("page-below").map((row) => [row.querySelector("b")?.textContent, row.getAttribute("href")]);
    expect(rows()).toEqual([["Kyoto in Autumn", "/wiki/travel/kyoto"], ["old", "/wiki/travel/old"]]);
    expect(screen.queryByTestId("page-not-found")).toBeNull();
    await fireEvent.click(screen.getByTestId("page-write"));
    expect(host.visited).toEqual(["/edit/travel"]);
    const { id } = server.add("/travel/nara", "# Nara");
    server.emit("page.changed", { page_id: id, path: "/travel/nara", revision: 1, kind: "created" });
    await vi.waitFor(() => expect(rows()).toHaveLength(3));
  });

  it("has one title, and hides its metadata", async () => {
    server.add("/p", "---\ntags: [庭]\n---\n\n# 秋の庭\n\n苔の緑");
    open();
    expect((await body()).textContent).toBe("苔の緑");
    expect(screen.getAllByRole("heading", { level: 1 }).map(({ textContent }) => textContent.trim())).toEqual(["秋の庭"]);
    expect(screen.queryByText(/tags/)).toBeNull();
    expect(host.crumbs).toEqual([{ label: "秋の庭", page: "/p" }]);
  });

  it.each([
    ["title: a: b", 2, /Line 2: not in this context/],
    ["A sentence.", null, /isn’t a list of fields/],
  ])("shows unreadable metadata with the reason (%s)", async (metadata, line, reason) => {
    server.properties = { items: [], fault: { line, reason: "not in this context" } };
    server.add("/p", `---\n${metadata}\n---\n\n# A`);
    open();
    const shown = await screen.findByTestId("page-metadata");
    expect(within(shown).getByText(reason)).toBeDefined();
    expect(shown.querySelector("pre")?.textContent).toBe(metadata);
  });

  it("shows its properties above the text", async () => {
    server.properties = { items: [{ name: "status", kind: "text", values: ["open"] }], fault: null };
    server.add("/p", "---\nstatus: open\n---\n\n# A");
    open();
    const shown = await screen.findByTestId("properties");
    expect(within(shown).getByText("open")).toBeDefined();
  });

  it("shows the titles of linked pages at once", async () => {
    const { id: page_id } = server.add("/travel/kyoto", "# Kyoto in Autumn");
    server.linkedPages = [{ page_id, path: "/travel/kyoto", title: "Kyoto in Autumn" }];
    server.add("/p", "# About [[/travel/kyoto]]\n\n[[/travel/kyoto]]");
    open();
    expect((await body()).textContent).toBe("Kyoto in Autumn");
    expect(host.title).toBe("About Kyoto in Autumn");
    expect(server.requests).not.toContain("/travel/kyoto");
  });

  it("in the server's HTML is not requested again", async () => {
    const { id } = server.add("/p", "text");
    const { pages } = server.backend;
    const source = { text: "as it was told", revision: 1, etag: "", deleted: false };
    open("/p", { id, revision: 1, meta: await pages.meta(id), unsaved: false, source: Promise.resolve(source), arrived: null });
    expect((await body()).textContent).toBe("as it was told");
    expect(server.requests).toEqual([]);
  });

  it("is reread on connection if it changed before", async () => {
    const page = server.add("/p", "text");
    const meta = await server.backend.pages.meta(page.id);
    const source = { text: "text", revision: 1, etag: "", deleted: false };
    const initial = { id: page.id, revision: 1, meta, unsaved: false, source: Promise.resolve(source), arrived: null };
    const { unmount } = open("/p", initial);
    await body();
    server.connect();
    await new Promise((resolve) => setTimeout(resolve));
    expect(server.requests).toEqual([]);
    unmount();

    server.overwrite(page, "newer", "Ben");
    open("/p", initial);
    expect((await body()).textContent).toBe("text");
    server.connect();
    await vi.waitFor(() => expect(screen.getByTestId("page-body").textContent).toBe("newer"));
    server.requests.length = 0;
    server.connect();
    await new Promise((resolve) => setTimeout(resolve));
    expect(server.requests).toEqual([]);
  });

  it("reserves space for pictures seen before", async () => {
    const text = Array.from({ length: 60 }, (_, index) => `## Part ${index}\n\n![](asset:/other/${index}.png)\n\n${"words ".repeat(100)}`).join("\n\n");
    server.add("/p", text);
    const pictures = () => [...screen.getByTestId("page-body").querySelectorAll("img")];
    const { unmount } = open();
    await body();
    await vi.waitFor(() => expect(pictures()).toHaveLength(60));
    for (const picture of pictures()) {
      picture.getBoundingClientRect = () => new DOMRect(0, 0, 30, 20);
      picture.dispatchEvent(new Event("load"));
    }
    await new Promise(requestAnimationFrame);
    unmount();

    open();
    await body();
    expect(pictures().length).toBeLessThan(60);
    expect(pictures().every((picture) => picture.width === 30 && picture.style.aspectRatio === "auto 30 / 20")).toBe(true);
    await vi.waitFor(() => expect(pictures()).toHaveLength(60));
    expect(pictures().every((picture) => picture.width === 30)).toBe(true);
  });

  it("if long, shows its beginning before the rest", async () => {
    const text = Array.from({ length: 60 }, (_, index) => `## Part ${index}\n\n${"words ".repeat(100)}`).join("\n\n");
    const parts = () => screen.getByTestId("page-body").querySelectorAll("h2");
    server.add("/p", text);
    const { unmount } = open();
    await body();
    const first = parts().length;
    expect(first).toBeGreaterThan(10);
    expect(first).toBeLessThan(60);
    await vi.waitFor(() => expect(parts()).toHaveLength(60));
    // All of the page is needed for these.
    await vi.waitFor(() => expect(screen.getByTestId("page-body").querySelectorAll(".anchor:not([aria-hidden])")).toHaveLength(60));
    unmount();

    history.replaceState(null, "", "/wiki/p#part-59");
    open();
    await body();
    expect(parts()).toHaveLength(60);
  });

  it("shows at once if its source arrived first", async () => {
    const { id } = server.add("/p", "text");
    const meta = await server.backend.pages.meta(id);
    const arrived = { text: "as it was told", revision: 1, etag: "", deleted: false };
    const page = { id, revision: 1, meta, unsaved: false, source: Promise.resolve(arrived), arrived };
    const { unmount } = open("/p", page);
    expect(screen.getByTestId("page-body").textContent).toBe("as it was told");
    unmount();

    // The user who edits it must be asked first.
    const locked = open("/p", { ...page, meta: { ...meta, page_info: { ...meta.page_info, locked: true } } });
    expect(screen.queryByTestId("page-body")).toBeNull();
    expect((await body()).textContent).toBe("as it was told");
    locked.unmount();

    // Elements above it would push it down.
    await server.backend.autosave.put(id, "tab", { path: "/p", base_revision: 1, source: "unsaved", seq: 1 });
    open("/p", { ...page, unsaved: true });
    expect(screen.queryByTestId("page-body")).toBeNull();
    await body();
    expect(screen.getByTestId("autosave-offer")).toBeDefined();
  });

  it("is shown together with its unsaved text offer", async () => {
    const { id } = server.add("/p", "text");
    const { autosave } = server.backend;
    await autosave.put(id, "tab", { path: "/p", base_revision: 1, source: "unsaved", seq: 1 });
    open();
    await vi.waitFor(() => expect(screen.queryByTestId("page-body") ?? screen.queryByTestId("autosave-offer")).not.toBeNull());
    expect(screen.getByTestId("page-body")).toBeDefined();
    expect(screen.getByTestId("autosave-offer")).toBeDefined();
  });

  it("is shown with its formulas rendered", async () => {
    server.add("/p", "A page with $x^2$");
    // A busy machine may take longer to load it than the page waits.
    await import("../markdown/live/math");
    open();
    await vi.waitFor(() => expect(screen.queryByTestId("page-body")).not.toBeNull());
    await vi.waitFor(() => expect(screen.getByTestId("page-body").querySelector(".katex")).not.toBeNull(), { interval: 1, timeout: 20 });
  });

  it("updates its links without re-rendering", async () => {
    server.add("/p", "text\n\n[[/there]] [[/later]]\n\nmore text");
    const target = server.add("/there", "");
    open();
    const article = await body();
    const links = () => [...article.querySelectorAll("a")].map((link) => [link.className, link.getAttribute("href")]);
    await vi.waitFor(() => expect(links()).toEqual([["", "/wiki/there"], ["none", "/edit/later"]]));
    const before = [...article.querySelectorAll("*")];
    const later = server.add("/later", "");
    server.emit("page.changed", { page_id: later.id, path: "/later", revision: 1, kind: "created" });
    await vi.waitFor(() => expect(links()).toEqual([["", "/wiki/there"], ["", "/wiki/later"]]));
    target.path = "/moved";
    server.emit("page.changed", { page_id: target.id, path: "/moved", revision: 2, kind: "renamed" });
    await vi.waitFor(() => expect(links()).toEqual([["", "/wiki/moved"], ["", "/wiki/later"]]));
    expect([...article.querySelectorAll("*")]).toEqual(before);
  });

  it("has headings whose anchors copy a permanent link", async () => {
    const page = server.add("/p", "# 庭\n\n## 光の *覚え*");
    const scrolled = (Element.prototype.scrollIntoView = vi.fn());
    const writeText = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
    open();
    await body();
    const heading = screen.getByRole("heading", { name: "光の 覚え" });
    const mark = within(heading).getByRole("link", { name: "Copy link to this section" });
    mark.click();
    await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith(`page:${page.id}#光の-覚え`));
    expect(host.visited).toEqual([`#${encodeURIComponent("光の-覚え")}`]);
    await vi.waitFor(() => expect(scrolled).toHaveBeenCalled());
  });

  it.each([
    ["y", (id: string) => `page:${id}`],
    ["Shift+y", (id: string) => id],
  ])("copies its identifiers by %s", async (key, expected) => {
    const page = server.add("/p", "text");
    const writeText = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
    open();
    await body();
    await host.press(key);
    expect(writeText).toHaveBeenCalledExactlyOnceWith(expected(page.id));
  });

  it("follows changes saved elsewhere", async () => {
    const page = server.add("/p", "old");
    open();
    await body();
    server.overwrite(page, "new", "Ben");
    server.emit("page.changed", { page_id: page.id, path: "/p", revision: 2, kind: "saved" });
    await vi.waitFor(() => expect(screen.getByTestId("page-body").textContent).toBe("new"));
  });

  it("is shown even if the editors are unknown", async () => {
    const page = server.add("/p", "text");
    await server.backend.locks.acquire(page.id);
    server.on("GET /api/pages/{page_id}/lock", () => fail("internal"));
    open();
    expect((await body()).textContent).toBe("text");
  });

  it("shows who edits it", async () => {
    const page = server.add("/p", "text");
    open();
    await body();
    server.emit("page.locked", { page_id: page.id, user_name: "Ben", expire: "2026-11-20T09:05:00Z" });
    expect((await screen.findByTestId("page-locked")).textContent).toContain("Ben");
    server.emit("page.unlocked", { page_id: page.id });
    await tick();
    expect(screen.queryByTestId("page-locked")).toBeNull();
  });
});

describe("editing", () => {
  it("starts with the lock, kept for the editor", async () => {
    const page = server.add("/p", "text");
    open();
    await body();
    await host.act("edit");
    expect(page.token).not.toBeNull();
    expect(Object.values({ ...sessionStorage }).join()).toContain(page.token);
    expect(host.visited).toEqual(["/edit/p"]);
  });

  it("starts once, however often it is pressed", async () => {
    const page = server.add("/p", "text");
    server.holder = server.me;
    open();
    await body();
    await Promise.all([host.act("edit"), host.act("edit")]);
    expect(page.token).not.toBeNull();
    expect(host.visited).toEqual(["/edit/p"]);
    expect(host.toasts).toEqual([]);
  });

  it("offers no takeover after leaving", async () => {
    const page = server.add("/p", "text");
    server.holder = server.me;
    const { unmount } = open();
    await body();
    await server.backend.locks.acquire(page.id);
    await host.act("edit");
    expect(host.open).toHaveLength(1);
    unmount();
    expect(host.open).toEqual([]);
  });

  it("releases a lock that arrives after leaving", async () => {
    const page = server.add("/p", "text");
    const { unmount } = open();
    await body();
    const editing = host.act("edit");
    unmount();
    await editing;
    expect(host.visited).toEqual([]);
    expect(page.token).toBeNull();
    expect(Object.keys({ ...sessionStorage }).filter((key) => key.startsWith("fumikura.lock."))).toEqual([]);
  });

  it("does not start under another user's lock", async () => {
    const page = server.add("/p", "text");
    open();
    await body();
    await server.backend.locks.acquire(page.id);
    await host.act("edit");
    expect(host.visited).toEqual([]);
    expect(host.toasts).toHaveLength(1);
  });

  it("is offered for unsaved text, and opens it", async () => {
    const page = server.add("/p", "text");
    await server.backend.autosave.put(page.id, "tab", { path: "/p", base_revision: 1, source: "unsaved", seq: 1 });
    open();
    (await screen.findByTestId("autosave-restore")).click();
    await vi.waitFor(() => expect(host.visited).toEqual([`/edit/p?take=${server.entries[0]?.id}`]));
  });
});

describe("a missing page", () => {
  it("is reported, with a button to create it", async () => {
    open("/nowhere");
    await screen.findByTestId("page-not-found");
    screen.getByTestId("page-write").click();
    await vi.waitFor(() => expect(host.visited).toEqual(["/edit/nowhere"]));
  });

  it("is created by its only button's key", async () => {
    open("/nowhere");
    await screen.findByTestId("page-not-found");
    expect(host.actions).toEqual([]);
    expect(screen.getByTestId("page-write").getAttribute("aria-keyshortcuts")).toBe("e");
    await host.press("e");
    expect(host.visited).toEqual(["/edit/nowhere"]);
  });

  it("appears when another user creates it", async () => {
    open("/p");
    await screen.findByTestId("page-not-found");
    const page = server.add("/p", "hello");
    server.emit("page.changed", { page_id: page.id, path: "/p", revision: 1, kind: "created" });
    expect((await body()).textContent).toBe("hello");
  });
});

it("reports a failure and retries", async () => {
  server.add("/p", "text");
  server.fault = "unreachable";
  open();
  await screen.findByTestId("error-state");
  server.fault = null;
  screen.getByTestId("retry").click();
  expect((await body()).textContent).toBe("text");
});

describe("at the path of a deleted page", () => {
  const trashed = (id: string, title: string | null = null) => ({
    ...{ page_id: id, path: "/p", title, deleted_at: "2026-11-20T09:00:00Z", user_name: "Ben" },
    ...{ deletion: id, revision: 2, along: 0, cursor: id },
  });

  it("offers the pages deleted there, latest first", async () => {
    server.inTrash.push(trashed("d2", "Later"), trashed("d1"));
    open();
    const rows = await screen.findAllByTestId("deleted-page");
    expect(rows.map((row) => row.querySelector(".title")?.textContent)).toEqual(["Later", "p"]);
    expect(screen.queryByTestId("page-not-found")).toBeNull();
    await host.press("j");
    await host.press("j");
    await host.press("o");
    expect(host.visited).toEqual(["/bin?page=d1"]);
    screen.getByTestId("page-write").click();
    expect(host.visited.at(-1)).toBe("/edit/p");
  });

  it("a key restores and opens one", async () => {
    server.inTrash.push(trashed("d1"));
    open();
    await screen.findByTestId("deleted-here");
    await host.press("r");
    expect((await body()).textContent).toBe("restored d1");
    expect(host.toasts).toEqual(["Restored /p"]);
    expect(host.links).toEqual([]);
  });

  it("restoring lists changed links by name", async () => {
    server.inTrash.push(trashed("d1"));
    server.changedLinks.push({ page: "/p", link: "beside", before: "/x", after: "" });
    open();
    await screen.findByTestId("deleted-here");
    await host.press("r");
    await body();
    expect(host.links).toEqual(server.changedLinks);
  });

  it("a page deleted while open can be restored", async () => {
    const page = server.add("/p", "text");
    open();
    await body();
    server.pages.splice(0);
    server.inTrash.push(trashed(page.id));
    server.emit("page.changed", { page_id: page.id, path: "/p", revision: 1, kind: "deleted" });
    await screen.findByTestId("deleted-here");
  });
});

it("reports once which page is read", async () => {
  const { id } = server.add("/p", "# Title");
  const read: unknown[] = [];
  render(WikiView, { path: "/p", revision: null, preloaded: null, backend: server.backend, host, onread: (page) => read.push(page) });
  await body();
  server.emit("resync", {});
  await tick();
  expect(read).toEqual([{ page_id: id, path: "/p", title: "Title" }]);
});

describe("the key for following", () => {
  it("moves from an old revision to the latest", async () => {
    server.overwrite(server.add("/p", "old"), "new", "Ben");
    render(WikiView, { path: "/p", revision: 1, preloaded: null, backend: server.backend, host });
    expect((await screen.findByTestId("newest")).getAttribute("aria-keyshortcuts")).toBe("g");
    expect(host.named("g")).toBe("Show latest");
    await host.press("g");
    expect(host.visited).toEqual(["/wiki/p"]);
  });

  it("follows a page that has moved", async () => {
    server.on("GET /api/pages/resolve", () => fail("page_not_found", { movedTo: "/q" }));
    open();
    await screen.findByTestId("moved-go");
    expect(host.named("g")).toBe("Go to page");
    await host.press("g");
    expect(host.visited).toEqual(["/wiki/q"]);
  });

  it("is absent without a target", async () => {
    server.add("/p", "text");
    open();
    await body();
    expect(host.named("g")).toBeUndefined();
  });
});
