import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeHistory, revision } from "../testing/fake-history";
import { StubHost } from "../testing/stub-host";
import { HistoryView } from ".";
import { PageHistory } from "./history.svelte";
import { diffPreferences } from "./revisions/diff-preferences.svelte";

let fake: FakeHistory;
let host: StubHost;

beforeEach(() => {
  fake = new FakeHistory();
  host = new StubHost();
});

/** Opens the view, and follows its navigation within the history. */
function open(range: { from: number; to: number } | null = null) {
  const room = render(HistoryView, { path: "/p", asked: range, backend: fake.backend, host });
  host.navigate = (url) => {
    host.visited.push(url);
    const [, from, to] = /history=(\d+)\.\.(\d+)/.exec(url) ?? [];
    return room.rerender({ asked: { from: Number(from), to: Number(to) } }).then(() => true);
  };
}

const diff = () => screen.findByTestId("diff");

describe("a page's history", () => {
  it("opens with the changes of the latest revision", async () => {
    open();
    expect((await diff()).textContent).toContain("text of 3");
    expect(fake.backend.revisions.diff.mock.calls[0]?.slice(1, 3)).toEqual([2, 3]);
    expect(screen.getAllByTestId("revision").map((row) => row.dataset["revision"])).toEqual(["3", "2", "1"]);
    expect((await diff()).querySelector("del mark")?.textContent).toBe("text of 2");
    expect(host.title).toBe("History of p");
  });

  it("is named by the page's title", async () => {
    let title = "Kyoto in Autumn";
    fake.on("GET /api/pages/resolve", () => ({ id: "P", revision: fake.latest, title }));
    open();
    await waitFor(() => expect(host.title).toBe("History of Kyoto in Autumn"));
    title = "Kyoto in Spring";
    fake.emit("page.changed", { page_id: "P", path: "/p", revision: 4, kind: "saved" });
    await waitFor(() => expect(host.title).toBe("History of Kyoto in Spring"));
  });

  it("compares the revisions of its address", async () => {
    open({ from: 1, to: 3 });
    await diff();
    expect(fake.backend.revisions.diff.mock.calls[0]?.slice(1, 3)).toEqual([1, 3]);
  });

  it("corrects revisions that don't exist", async () => {
    fake.oldest = 2;
    open({ from: 1, to: 99 });
    await diff();
    expect(fake.backend.revisions.diff.mock.calls[0]?.slice(1, 3)).toEqual([2, 3]);
  });

  it("is navigated by keys, which update the address", async () => {
    open();
    await diff();
    await host.press("j");
    await waitFor(() => expect(host.visited.at(-1)).toBe("/wiki/p?history=1..2"));
    await host.press("k");
    await host.press("Shift+j");
    await waitFor(() => expect(host.visited.at(-1)).toBe("/wiki/p?history=1..3"));
  });

  it("leads to the wiki of a revision", async () => {
    open();
    await diff();
    expect((await screen.findByTestId("past-newer")).getAttribute("href")).toMatch(/^\/wiki\/p\?at=2026-.*Z$/);
    const older = screen.getByTestId("past-older").getAttribute("href");
    await host.press("Shift+p");
    expect(host.visited.at(-1)).toBe(older);
  });

  it("leads to the wiki of another time", async () => {
    open();
    await diff();
    await host.act("past-moment");
    const moment = await screen.findByTestId("moment");
    await fireEvent.input(moment, { target: { value: "2199-01-01T00:00" } });
    expect(screen.getByTestId<HTMLButtonElement>("moment-submit").disabled).toBe(true);
    await fireEvent.input(moment, { target: { value: "2026-01-02T03:04" } });
    await userEvent.click(screen.getByTestId("moment-submit"));
    expect(host.visited.at(-1)).toBe(`/wiki/p?at=${new Date(2026, 0, 2, 3, 4, 59, 999).toISOString()}`);
    expect(screen.queryByTestId("moment-dialog")).toBeNull();
  });

  it("is compared with any revision of the list", async () => {
    open();
    await diff();
    const [, , first] = screen.getAllByTestId("revision");
    await userEvent.click(within(first as HTMLElement).getByTestId("compare-with"));
    expect(host.visited.at(-1)).toBe("/wiki/p?history=1..3");
  });

  it("can be shown side by side", async () => {
    open();
    await diff();
    await userEvent.click(screen.getByTestId("mode-side"));
    expect((await diff()).dataset["mode"]).toBe("side");
    await host.press("s");
    await waitFor(async () => expect((await diff()).dataset["mode"]).toBe("inline"));
  });

  it("uses one column if two are too narrow", async () => {
    const width = vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(400);
    diffPreferences.sideBySide = true;
    try {
      open();
      await diff();
      expect(screen.queryByTestId("mode-side")).toBeNull();
      expect((await diff()).dataset["mode"]).toBe("inline");
      expect(host.named("s")).toBeUndefined();
    } finally {
      width.mockRestore();
      diffPreferences.sideBySide = false;
    }
  });

  it("shows renames apart from the text", async () => {
    fake.equal = true;
    fake.renames = [revision(2, { from: "/old", to: "/p", link_refs: { "/there": "01", "/gone": null } })];
    open();
    expect((await screen.findByTestId("renames")).textContent).toContain("moved from /old to /p");
    expect(screen.getByTestId("equal")).toBeDefined();
  });

  it("with one revision has nothing to compare", async () => {
    fake.latest = 1;
    open();
    await screen.findByTestId("only-revision");
    expect(fake.backend.revisions.diff).not.toHaveBeenCalled();
  });

  it("is loaded in parts while scrolling, if long", async () => {
    fake.latest = 5_000;
    open({ from: 10, to: 4_990 });
    await diff();
    expect(fake.backend.revisions.list.mock.calls.length).toBeLessThan(5);
    expect(screen.getAllByTestId("revision").length).toBeLessThan(60);
  });

  it("is loaded at the scroll position during changes", async () => {
    fake.latest = 250;
    const history = new PageHistory(fake.backend, "/p", () => {});
    const stop = history.listen();
    await history.load();
    fake.backend.revisions.list.mockImplementationOnce(
      (_id, _query, signal) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new DOMException("gone", "AbortError")));
          setTimeout(() => resolve({ items: [100, 1].map((number) => revision(number)), has_more: false, oldest: 1 }), 10);
        }),
    );
    history.need(1, 100);
    fake.emit("resync", {});
    await waitFor(() => expect(history.revision(1)).toBeDefined());
    stop();
  });

  it("grows while open", async () => {
    open();
    await diff();
    fake.latest = 4;
    fake.emit("page.changed", { page_id: "P", path: "/p", revision: 4, kind: "saved" });
    await waitFor(() => expect(screen.getAllByTestId("revision")).toHaveLength(4));
    await waitFor(() => expect(fake.backend.revisions.diff.mock.lastCall?.slice(1, 3)).toEqual([3, 4]));
  });
});

describe("restoring a revision", () => {
  it("adds a revision, and can be undone", async () => {
    open();
    await diff();
    await host.act("go-back");
    expect(fake.backend.revisions.rollback).toHaveBeenLastCalledWith("P", 2);
    expect(host.toasts.at(-1)).toContain("revision 4");
    await host.open.at(-1)?.options.undo?.();
    expect(fake.backend.revisions.rollback).toHaveBeenLastCalledWith("P", 3);
  });

  it("reports links whose targets changed", async () => {
    const link = { link: "beside", before: "/x", after: "" };
    fake.backend.revisions.rollback.mockResolvedValueOnce({ revision: 4, warnings: [link] });
    open();
    await diff();
    await host.act("go-back");
    expect(host.links).toEqual([{ ...link, page: "/p" }]);
  });

  it("is not undone over a later save", async () => {
    open();
    await diff();
    await host.act("go-back");
    fake.latest = 9;
    await host.open.at(-1)?.options.undo?.();
    expect(fake.backend.revisions.rollback).toHaveBeenCalledTimes(1);
    expect(host.toasts.at(-1)).toContain("Couldn’t undo");
  });

  it("explains a failure", async () => {
    open();
    await diff();
    fake.backend.revisions.rollback.mockImplementationOnce(() => {
      fake.fault = "lock_required";
      return fake.backend.revisions.rollback("P", 1);
    });
    await host.act("go-back");
    expect(host.toasts.at(-1)).toContain("being edited");
  });
});

it("old revisions are deleted after confirming their number", async () => {
  fake.latest = 12;
  open();
  await diff();
  await host.act("compact");
  const dialog = within(await screen.findByTestId("compact-dialog"));
  const field = dialog.getByTestId("compact-from");
  await userEvent.clear(field);
  expect(dialog.getByTestId<HTMLButtonElement>("compact-submit").disabled).toBe(true);
  await userEvent.type(field, "5");
  expect(dialog.getByText(/4 revisions, 1 to 4, will be permanently deleted/)).toBeDefined();
  await userEvent.click(dialog.getByTestId("compact-submit"));
  expect(fake.backend.revisions.compact).toHaveBeenCalledWith("P", 5);
  await waitFor(() => expect(screen.queryByTestId("compact-dialog")).toBeNull());
});

describe("the history as Markdown", () => {
  const writeText = vi.fn<Clipboard["writeText"]>(() => Promise.resolve());

  beforeEach(() => {
    writeText.mockClear();
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
  });

  async function copied(): Promise<string> {
    open();
    await diff();
    await host.act("copy-history");
    return writeText.mock.lastCall?.[0] ?? "";
  }

  const numbers = (text: string) => [...text.matchAll(/^- \[Revision (\d+)\]/gm)].map(([, number]) => Number(number));

  it("is copied as the server sends it", async () => {
    expect(await copied()).toBe(
      "# History of /p\n\n" + [3, 2, 1].map((number) => `- [Revision ${number}](/p?rev=${number}), by Aya\n`).join(""),
    );
    expect(fake.backend.revisions.markdown).toHaveBeenCalledTimes(1);
  });

  it.each([1_000, 1_001, 2_000, 2_345])("has all of %i revisions", async (count) => {
    fake.latest = count;
    fake.renames = [revision(count), revision(1)];
    const text = await copied();
    expect(numbers(text)).toEqual(Array.from({ length: count }, (_, at) => count - at));
    expect(text.match(/^#/gm)).toHaveLength(1);
    expect(text.match(/^ {2}- The page was renamed/gm)).toHaveLength(2);
    expect(text).not.toContain("not listed");
    expect(text.split("\n\n")).toHaveLength(2);
    expect(fake.backend.revisions.markdown).toHaveBeenCalledTimes(Math.ceil(count / 1_000));
  });

  it("ends with a note on omitted revisions", async () => {
    fake.latest = 1_500;
    fake.oldest = 200;
    const text = await copied();
    expect(numbers(text).at(-1)).toBe(200);
    expect(text.split("\n\n").at(-1)).toBe("Revisions 1 to 199 were removed.\n");
    expect(text).not.toContain("not listed");
  });

  it("ends where older revisions are deleted meanwhile", async () => {
    fake.latest = 1_500;
    open();
    await diff();
    fake.once("GET /api/pages/{page_id}/history", async (_, next) => {
      const text = await next();
      fake.oldest = 501;
      return text;
    });
    await host.act("copy-history");
    const text = writeText.mock.lastCall?.[0] ?? "";
    expect(numbers(text)).toHaveLength(1_000);
    expect(text.split("\n\n").at(-1)).toBe("Revisions 1 to 500 were removed.\n");
  });
});

it("failed loading can be retried", async () => {
  fake.fault = "unreachable";
  open();
  await screen.findByTestId("error-state");
  fake.fault = null;
  screen.getByTestId("retry").click();
  await diff();
});

it("a missing page has no history", async () => {
  fake.fault = "page_not_found";
  open();
  await screen.findByTestId("history-none");
});

describe("keys of the comparison", () => {
  const keysOf = (id: string) => screen.getByTestId(id).getAttribute("aria-keyshortcuts");

  it("open either revision", async () => {
    open({ from: 1, to: 2 });
    await diff();
    expect([keysOf("open-newer"), keysOf("open-older")]).toEqual(["o", "Shift+o"]);
    expect(host.named("Shift+o")).toBe("Open older revision");
    await host.press("Shift+o");
    expect(host.visited).toEqual(["/wiki/p?rev=1"]);
  });

  it("restore either revision", async () => {
    open({ from: 1, to: 2 });
    await diff();
    expect([keysOf("go-back-newer"), keysOf("go-back-older")]).toEqual(["r", "Shift+r"]);
    expect(host.actions.find(({ id }) => id === "go-back")?.key).toBe("r");
    expect(host.named("Shift+r")).toBe("Restore revision 1");
    await host.press("Shift+r");
    expect(fake.backend.revisions.rollback).toHaveBeenLastCalledWith("P", 1);
    await host.navigate("/wiki/p?history=1..4");
    await waitFor(() => expect(keysOf("go-back-older")).toBe("r"));
    expect(host.named("Shift+r")).toBeUndefined();
  });

  it("compare with the list's focused revision", async () => {
    open();
    await diff();
    const [, , first] = screen.getAllByTestId("revision");
    const row = within(first as HTMLElement);
    expect(row.getByTestId("compare-with").getAttribute("aria-keyshortcuts")).toBe("Shift+Enter");
    first?.querySelector<HTMLElement>("button.row")?.focus();
    await userEvent.keyboard("{Shift>}{Enter}{/Shift}");
    expect(host.visited).toEqual(["/wiki/p?history=1..3"]);
  });

  it("expand unchanged lines, and show more changes", async () => {
    fake.hunks = 250;
    open();
    await diff();
    expect(screen.getAllByTestId("fold")[0]?.getAttribute("aria-keyshortcuts")).toBe("u");
    expect([host.named("u"), host.named("m")]).toEqual(["Show unchanged lines", "Show more changes"]);
    await host.press("m");
    await waitFor(() => expect(host.named("m")).toBeUndefined());
    await host.press("u");
    await waitFor(() => expect(screen.queryByTestId("fold")).toBeNull());
    expect(host.named("u")).toBeUndefined();
  });
});
