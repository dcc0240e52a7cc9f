import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { FakeHistory } from "../../testing/fake-history";
import { fail } from "../../testing/server";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { beginDelete, deletePage, followRenamed } from "./page-moves";
import { duplicatePage, mergePage } from "./page-reorganizing";
import { loadHistory } from "../../history/view";

const page = { id: "P", path: "/a/p" };
let fake: FakeHistory;
let app: App;

// The loading time of the code is not tested.
beforeAll(async () => void (await loadHistory()));

beforeEach(() => {
  history.replaceState(null, "", "/wiki/a/p");
  fake = new FakeHistory();
  app = new App(Object.assign(new FakeBackend(), { moves: fake.backend.moves }));
});

describe("a moved page", () => {
  it("is open at its new address, with undo", async () => {
    await followRenamed(app, page, "/b", true, { revision: 2, pages: 3, warnings: [] });
    expect(location.pathname).toBe("/wiki/b");
    expect(app.toasts.items[0]?.message).toBe("Moved to /b, with 2 subpages");
    await app.toasts.items[0]?.action?.run();
    expect(fake.backend.moves.rename).toHaveBeenCalledExactlyOnceWith("P", { to: "/a/p", recursive: true });
    expect(location.pathname).toBe("/wiki/a/p");
  });

  it("returns without a message when links are unchanged", async () => {
    const moved = { page: "/b", link: "beside", before: "/a/beside", after: "/beside" };
    const other = { page: "/else", link: "p", before: "", after: "/a/p" };
    fake.warnings = [{ page: "/a/p", link: "beside", before: "/beside", after: "/a/beside" }];
    await followRenamed(app, page, "/b", false, { revision: 2, warnings: [moved] });
    await app.toasts.items[0]?.action?.run();
    expect(app.dialog).toBeNull();
    fake.warnings.push(other);
    await followRenamed(app, page, "/b", false, { revision: 2, warnings: [moved] });
    await app.toasts.items.at(-1)?.action?.run();
    expect(app.dialog).toEqual({ kind: "links", links: [other] });
  });

  it("does not navigate if the user has left", async () => {
    await app.router.navigate("/bin");
    await followRenamed(app, page, "/b", false, { revision: 2, warnings: [] });
    expect(location.pathname).toBe("/bin");
    expect(app.toasts.items[0]?.message).toBe("Moved to /b");
  });
});

describe("a deleted page", () => {
  it("leads to the page above, and is restorable", async () => {
    fake.backend.moves.parent.mockResolvedValue("/a");
    await beginDelete(app, page);
    expect(fake.backend.moves.remove).toHaveBeenCalledExactlyOnceWith("P", { recursive: false });
    expect(location.pathname).toBe("/wiki/a");
    await app.toasts.items[0]?.action?.run();
    expect(fake.backend.moves.restore).toHaveBeenCalledExactlyOnceWith("P", { to: "/a/p", recursive: false });
    expect(location.pathname).toBe("/wiki/a/p");
  });

  it("does not navigate if the user has left", async () => {
    fake.backend.moves.parent.mockResolvedValue("/a");
    const deleting = beginDelete(app, page);
    await app.router.navigate("/bin");
    await deleting;
    expect(fake.backend.moves.remove).toHaveBeenCalledExactlyOnceWith("P", { recursive: false });
    expect(location.pathname).toBe("/bin");
  });

  it("lists changed links after its restoration", async () => {
    fake.warnings = [{ page: "/a/p", link: "beside", before: "/x", after: "" }];
    history.replaceState(null, "", "/settings");
    const stop = app.start();
    render(Frame, { app, first: { address: "/settings", page: null } });
    await deletePage(app, page, false, 0);
    await app.toasts.items[0]?.action?.run();
    const dialog = await screen.findByTestId("changed-links");
    expect(dialog.textContent).toContain("beside");
    expect(dialog.textContent).toContain("/x → no page");
    await userEvent.click(screen.getByTestId("changed-links-close"));
    expect(screen.queryByTestId("changed-links")).toBeNull();
    stop();
  });

  it("asks about subpages, with their number", async () => {
    fake.subpages = 3;
    history.replaceState(null, "", "/settings");
    const stop = app.start();
    render(Frame, { app, first: { address: "/settings", page: null } });
    await beginDelete(app, page);
    const dialog = await screen.findByTestId("delete-dialog");
    expect(dialog.textContent).toContain("/a/p has 3 subpages");
    expect(fake.backend.moves.remove).not.toHaveBeenCalled();
    await userEvent.click(screen.getByTestId("delete-all"));
    await vi.waitFor(() => expect(fake.backend.moves.remove).toHaveBeenCalledExactlyOnceWith("P", { recursive: true }));
    stop();
  });

  it("stays open when the server refuses", async () => {
    fake.fault = "lock_required";
    await expect(deletePage(app, page, false, 0)).rejects.toThrow();
    expect(location.pathname).toBe("/wiki/a/p");
    expect(app.undos.last).toBeNull();
  });
});

describe("a reorganized page", () => {
  it("opens its duplicate, which can be undone", async () => {
    fake.on("POST /api/pages/{page_id}/duplicate", () => ({ page_id: "P2", path: "/a/p 2" }));
    await duplicatePage(app, page);
    expect(decodeURIComponent(location.pathname)).toBe("/wiki/a/p 2");
    await app.toasts.items[0]?.action?.run();
    expect(fake.sent("DELETE /api/pages/{page_id}")[0]?.path).toEqual({ page_id: "P2" });
    expect(location.pathname).toBe("/wiki/a/p");
  });

  it("merges into another, which can be undone", async () => {
    const merged = { into: "Q", path: "/q", revision: 3, files: [{ id: "F", name: "a.png" }], pages: [] };
    fake.on("POST /api/pages/{page_id}/merge", () => merged);
    fake.on("POST /api/pages/{page_id}/unmerge", () => undefined);
    await mergePage(app, page, "Q");
    expect(fake.sent("POST /api/pages/{page_id}/merge")[0]).toMatchObject({ path: { page_id: "P" }, body: { into: "Q" } });
    expect(location.pathname).toBe("/wiki/q");
    await app.toasts.items[0]?.action?.run();
    expect(fake.sent("POST /api/pages/{page_id}/unmerge")[0]).toMatchObject({ path: { page_id: "P" }, body: merged });
    expect(location.pathname).toBe("/wiki/a/p");
  });

  it("stays when the merge is refused", async () => {
    fake.on("POST /api/pages/{page_id}/merge", () => fail("lock_required"));
    const found = (id: string) => ({ page_id: id, path: `/${id}`, title: null, path_spans: [], title_spans: [], score: 1 });
    vi.spyOn(app.backend.pages, "search").mockResolvedValue([found("P"), found("Q")]);
    history.replaceState(null, "", "/settings");
    const stop = app.start();
    render(Frame, { app, first: { address: "/settings", page: null } });
    app.dialog = { kind: "merge", page };
    const offered = await screen.findAllByTestId("give-option");
    expect(offered.map(({ textContent }) => textContent)).toEqual(["Q /Q"]);
    await userEvent.click(screen.getByTestId("give-submit"));
    await screen.findByText("The page is being edited and can’t be changed.");
    stop();
  });
});
