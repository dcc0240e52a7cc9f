import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../api/errors";
import { deleted, FakeHistory } from "../../testing/fake-history";
import { StubHost } from "../../testing/stub-host";
import { TrashView } from "..";

let fake: FakeHistory;
let host: StubHost;

beforeEach(() => {
  fake = new FakeHistory();
  host = new StubHost();
});

function open() {
  render(TrashView, { backend: fake.backend, host, now: new Date("2026-11-20T10:00:00Z") });
}

const rows = () => screen.queryAllByTestId("trash-page").map((row) => row.dataset["path"]);
const first = async () => within((await screen.findAllByTestId("trash-page"))[0] as HTMLElement);

describe("the trash", () => {
  it("explains itself when empty", async () => {
    open();
    expect((await screen.findByTestId("trash-empty")).textContent).toContain("can be restored");
  });

  it("lists pages, when, by whom, and with subpages", async () => {
    fake.inTrash = [{ ...deleted("/a", "D1"), along: 1 }, deleted("/a/x", "D1"), deleted("/b")];
    open();
    expect((await first()).getByText("with 1 page")).toBeDefined();
    expect(screen.getAllByTestId("trash-page")[0]?.textContent).toContain("Ben");
    expect(rows()).toEqual(["/a", "/a/x", "/b"]);
  });

  it("of many pages is loaded in parts", async () => {
    fake.inTrash = Array.from({ length: 120 }, (_, at) => deleted(`/p${at}`));
    open();
    await screen.findByTestId("trash-more");
    expect(rows()).toHaveLength(50);
    screen.getByTestId("trash-more").click();
    await waitFor(() => expect(rows()).toHaveLength(100));
    expect(fake.backend.moves.trash.mock.lastCall?.[0]).toEqual({ after: "c/p49", limit: 50 });
    screen.getByTestId("trash-more").click();
    await waitFor(() => expect(rows()).toHaveLength(120));
    expect(screen.queryByTestId("trash-more")).toBeNull();
  });

  it("follows deletions elsewhere", async () => {
    open();
    await screen.findByTestId("trash-empty");
    fake.inTrash = [deleted("/a")];
    fake.emit("page.changed", { page_id: "id/a", path: "/a", revision: 3, kind: "deleted" });
    await waitFor(() => expect(rows()).toEqual(["/a"]));
  });

  it("can be reloaded after a failure", async () => {
    fake.fault = "unreachable";
    open();
    await screen.findByTestId("error-state");
    fake.fault = null;
    screen.getByTestId("retry").click();
    await screen.findByTestId("trash-empty");
  });
});

describe("restoring", () => {
  it("restores a page and its subpages, undoably", async () => {
    fake.inTrash = [{ ...deleted("/a", "D1"), along: 1 }, deleted("/a/x", "D1")];
    open();
    await userEvent.click((await first()).getByTestId("trash-restore"));
    await waitFor(() => expect(host.toasts.at(-1)).toContain("Restored /a"));
    expect(fake.backend.moves.restore).toHaveBeenCalledWith("id/a", { to: "/a", recursive: true });
    await host.open.at(-1)?.options.undo?.();
    expect(fake.backend.moves.remove).toHaveBeenCalledWith("id/a", { recursive: true });
  });

  it("asks for another path if it is used", async () => {
    fake.inTrash = [deleted("/a")];
    fake.backend.moves.restore.mockRejectedValueOnce(new ApiError("path_taken", 409, "", { path: "/a" }));
    open();
    await userEvent.click((await first()).getByTestId("trash-restore"));
    const dialog = within(await screen.findByTestId("restore-dialog"));
    expect(dialog.getByText("A page already exists at /a.")).toBeDefined();
    await userEvent.type(dialog.getByTestId("move-path"), "2{Enter}");
    await waitFor(() => expect(screen.queryByTestId("restore-dialog")).toBeNull());
    expect(fake.backend.moves.restore).toHaveBeenLastCalledWith("id/a", { to: "/a2", recursive: false });
  });

  it("reports links whose targets changed", async () => {
    fake.inTrash = [deleted("/a")];
    fake.warnings = [{ page: "/a", link: "beside", before: "/x", after: "" }];
    open();
    await userEvent.click((await first()).getByTestId("trash-restore"));
    await waitFor(() => expect(host.links).toEqual(fake.warnings));
  });
});

describe("the keys of a row", () => {
  const focused = () => document.activeElement?.closest<HTMLElement>("[data-path]")?.dataset["path"];

  beforeEach(async () => {
    fake.inTrash = [deleted("/a"), deleted("/b"), deleted("/c")];
    open();
    await screen.findAllByTestId("trash-page");
  });

  it("go from one to the next and back", async () => {
    for (const [key, at] of [["j", "/a"], ["j", "/b"], ["ArrowDown", "/c"], ["j", "/c"], ["k", "/b"], ["ArrowUp", "/a"]] as const) {
      await host.press(key);
      expect(focused()).toBe(at);
    }
  });

  it("mark their row first, then restore it", async () => {
    await host.press("r");
    expect(focused()).toBe("/a");
    expect(fake.backend.moves.restore).not.toHaveBeenCalled();
    await host.press("j");
    fake.once("POST /api/pages/{page_id}/path", () => void (fake.inTrash = fake.inTrash.filter(({ path }) => path !== "/b")));
    await host.press("r");
    expect(fake.backend.moves.restore).toHaveBeenCalledWith("id/b", { to: "/b", recursive: false });
    expect(rows()).toEqual(["/a", "/c"]);
    expect(focused()).toBe("/c");
  });

  it("restore elsewhere, show, and delete permanently", async () => {
    await host.press("j");
    await host.press("o");
    expect(host.visited).toEqual(["/bin?page=id%2Fa"]);
    await host.press("Delete");
    expect(fake.backend.moves.remove).toHaveBeenCalledWith("id/a", { recursive: false, hard: true });
    await host.press("Shift+r");
    expect(await screen.findByTestId("restore-dialog")).toBeDefined();
  });

  it("are shown by the buttons", async () => {
    const row = await first();
    const keys = ["trash-open", "trash-restore", "trash-restore-to", "trash-destroy"].map((id) => row.getByTestId(id).getAttribute("aria-keyshortcuts"));
    expect(keys).toEqual(["o", "r", "Shift+r", "Delete"]);
  });
});

describe("permanent deletion", () => {
  it("names the loss, and happens once confirmed", async () => {
    fake.inTrash = [{ ...deleted("/a", "D1"), along: 1 }, deleted("/a/x", "D1")];
    open();
    await userEvent.click((await first()).getByTestId("trash-destroy"));
    await waitFor(() => expect(fake.backend.moves.remove).toHaveBeenCalledWith("id/a", { recursive: true, hard: true }));
    const { message, danger } = host.questions[0] ?? {};
    for (const part of ["/a will be permanently deleted", "page deleted with it", "Both texts and all their 6 revisions", "Their 4 files", "can’t be undone"]) {
      expect(message).toContain(part);
    }
    expect(danger).toBe(true);
  });

  it("counts only pages deleted with a subpage", async () => {
    const [head, middle] = [{ ...deleted("/a", "D1"), along: 3 }, { ...deleted("/a/x", "D1"), along: 1 }];
    fake.inTrash = [head, middle, deleted("/a/x-y", "D1"), deleted("/a/x/z", "D1"), deleted("/a/x/z", "D0")];
    open();
    await screen.findAllByTestId("trash-page");
    await userEvent.click(screen.getAllByTestId("trash-destroy")[1] as HTMLElement);
    await waitFor(() => expect(host.questions[0]?.message).toContain("all their 6 revisions"));
  });

  it("counts only the page to limit requests", async () => {
    fake.inTrash = [{ ...deleted("/a", "D1"), along: 60 }, ...Array.from({ length: 60 }, (_, at) => deleted(`/a/${at}`, "D1"))];
    open();
    await userEvent.click((await first()).getByTestId("trash-destroy"));
    await waitFor(() => expect(host.questions).toHaveLength(1));
    for (const part of ["Its text and all 3 revisions", "60 pages", "Its 2 files"]) expect(host.questions[0]?.message).toContain(part);
    expect(fake.backend.pages.meta).toHaveBeenCalledOnce();
  });

  it("does nothing when cancelled", async () => {
    fake.inTrash = [deleted("/a")];
    host.confirmAnswer = false;
    open();
    await userEvent.click((await first()).getByTestId("trash-destroy"));
    await waitFor(() => expect(host.questions).toHaveLength(1));
    expect(fake.backend.moves.remove).not.toHaveBeenCalled();
  });
});

it("a key loads more while there is more", async () => {
  fake.inTrash = Array.from({ length: 60 }, (_, at) => deleted(`/p${at}`));
  open();
  expect((await screen.findByTestId("trash-more")).getAttribute("aria-keyshortcuts")).toBe("m");
  expect(host.named("m")).toBe("Show more");
  await host.press("m");
  await waitFor(() => expect(rows()).toHaveLength(60));
  expect(host.named("m")).toBeUndefined();
});
