import { render, screen, waitFor } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { beforeEach, describe, expect, it } from "vitest";
import type { Action } from "../../api/host";
import type { DeletedPage } from "../../api/moves";
import { ApiError } from "../../api/errors";
import { deleted, FakeHistory } from "../../testing/fake-history";
import { StubHost } from "../../testing/stub-host";
import { TrashedPageView } from "..";
import type { Pair } from "../address";

let fake: FakeHistory;
let host: StubHost;

beforeEach(() => {
  fake = new FakeHistory();
  host = new StubHost();
  fake.inTrash = [{ ...deleted("/a"), along: 2 }];
});

/** The actions that the text received for the frame. */
let given: Action[] = [];

function open(pair?: Pair | null, file: string | null = null) {
  const reading = createRawSnippet<[DeletedPage, Action[]]>((page, actions) => ({
    render: () => {
      given = actions();
      return `<p data-testid="text">${page().path}</p>`;
    },
  }));
  return render(TrashedPageView, { id: "id/a", pair, file, backend: fake.backend, host, reading });
}

const act = (id: string) => given.find((action) => action.id === id)?.run();

describe("a page in the trash", () => {
  it("shows who deleted it, when, with what", async () => {
    open();
    expect((await screen.findByTestId("text")).textContent).toBe("/a");
    const mark = screen.getByTestId("page-deleted").textContent;
    for (const part of ["in Trash", "Ben", "2026", "2 pages"]) expect(mark).toContain(part);
    expect(host.crumbs).toEqual([{ label: "Trash", href: "/bin" }, { label: "a" }]);
    expect(given.map(({ key }) => key)).toEqual(["h", "r", "Shift+r", "Delete"]);
  });

  it("is restored with its subpages, and then opened", async () => {
    open();
    await screen.findByTestId("text");
    await act("restore");
    expect(fake.backend.moves.restore).toHaveBeenCalledWith("id/a", { to: "/a", recursive: true });
    await waitFor(() => expect(host.visited).toEqual(["/wiki/a"]));
    await host.open.at(-1)?.options.undo?.();
    expect(fake.backend.moves.remove).toHaveBeenCalledWith("id/a", { recursive: true });
  });

  it("is restored by the notice's button, too", async () => {
    open();
    (await screen.findByTestId("page-deleted-restore")).click();
    await waitFor(() => expect(fake.backend.moves.restore).toHaveBeenCalledWith("id/a", { to: "/a", recursive: true }));
  });

  it("lists changed links after it is restored", async () => {
    fake.warnings = [{ page: "/a", link: "beside", before: "/x", after: "" }];
    open();
    await screen.findByTestId("text");
    await act("restore");
    expect(host.links).toEqual(fake.warnings);
    await waitFor(() => expect(host.visited).toEqual(["/wiki/a"]));
  });

  it("follows a restoration elsewhere", async () => {
    open();
    await screen.findByTestId("text");
    fake.currentPath = "/moved";
    fake.emit("page.changed", { page_id: "id/a", path: "/moved", revision: 3, kind: "restored" });
    await waitFor(() => expect(host.visited).toEqual(["/wiki/moved"]));
  });

  it("leads to the requested file once restored", async () => {
    fake.currentPath = "/a";
    open(undefined, "A1");
    await waitFor(() => expect(host.visited).toEqual(["/wiki/a?file=A1"]));
  });

  it("is deleted permanently when confirmed, opening the trash", async () => {
    open();
    await screen.findByTestId("text");
    await act("destroy");
    expect(fake.backend.moves.remove).toHaveBeenCalledWith("id/a", { recursive: true, hard: true });
    expect(host.questions[0]?.message).toContain("2 pages");
    expect(host.visited).toEqual(["/bin"]);
  });

  it("does not navigate after the user left", async () => {
    const { unmount } = open();
    await screen.findByTestId("text");
    const going = act("destroy");
    unmount();
    await going;
    expect(fake.backend.moves.remove).toHaveBeenCalledWith("id/a", { recursive: true, hard: true });
    expect(host.visited).toEqual([]);
  });

  it("reports its permanent deletion", async () => {
    fake.backend.pages.meta.mockRejectedValueOnce(new ApiError("page_not_found", 404, ""));
    open();
    await screen.findByTestId("deleted-gone");
    expect(host.actions).toEqual([]);
  });

  it("can be reloaded after a failure", async () => {
    fake.fault = "unreachable";
    open();
    await screen.findByTestId("error-state");
    fake.fault = null;
    screen.getByTestId("retry").click();
    await screen.findByTestId("text");
  });
});

describe("its history", () => {
  it("is compared by id without changes offered", async () => {
    open({ from: 1, to: 3 });
    await screen.findByTestId("diff");
    expect(fake.backend.revisions.diff.mock.lastCall?.slice(0, 3)).toEqual(["id/a", 1, 3]);
    expect(screen.getByTestId("page-deleted")).toBeDefined();
    expect(screen.queryByTestId("go-back-older")).toBeNull();
    expect(screen.getByTestId("open-older").getAttribute("href")).toBe("/bin?page=id%2Fa&rev=1");
    expect(screen.getByTestId("open-newer").getAttribute("href")).toBe("/bin?page=id%2Fa");
    expect(host.actions.map(({ id }) => id)).toEqual(["read", "restore", "restore-to", "destroy", "past-moment", "copy-history", "save-history"]);
    expect(host.crumbs[0]).toEqual({ label: "Trash", href: "/bin" });
  });

  it("has an address for each comparison", async () => {
    open(null);
    await screen.findByTestId("diff");
    await host.press("j");
    expect(host.visited.at(-1)).toBe("/bin?page=id%2Fa&history=1..2");
  });
});
