// Ratings and tags in the view: by keys, beside the picture in the viewer, and in the dialog.
import { screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { fakeDesktop, FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { ITEMS_AT_ONCE } from "./mark-editor.svelte";
import { sessionMemory } from "../session/session-memory";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({
  name,
  kind: "picture",
  size: 1_000,
  mtime: "2026-11-20T00:00:00Z",
  id: `id-${name}`,
  ...more,
});
const placeAt = (view: string | null = null) => ({ root: "R1", path: canonicalPath("2026"), view: view === null ? null : canonicalPath(view) });

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("more", { kind: "folder" }), entry("a.jpg"), entry("b.jpg", { rating: 2, tags: ["sea"] }), entry("c.jpg")];
  host = new StubHost();
  sessionMemory.isInfoShown = false;
  sessionMemory.isRatingAdvancing = false;
  sessionMemory.saveFocus({ root: "R1", path: canonicalPath("2026"), query: { sort: "name", order: "asc" } }, 0);
});

async function open(view: string | null = null) {
  const room = openPictures({ place: placeAt(view), backend, host });
  await screen.findAllByTestId("cell");
  return room;
}

const cell = (name: string) => screen.getAllByTestId("cell").find((one) => one.dataset["name"] === name) as HTMLElement;
const ratingOf = (name: string) => within(cell(name)).queryByTestId("rating")?.dataset["rating"] ?? null;
const statusText = () => host.statusItems.find(({ id }) => id === "marked")?.text;
const marked = () => backend.files.mark.mock.calls.map(([items, change]) => [items.map(({ path }) => path), change]);

async function goTo(name: string) {
  cell(name).focus();
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset["name"]).toBe(name));
}

/** Makes the server delay its answer. */
function holdAnswer() {
  let answer = () => {};
  const waiting = new Promise<void>((resolve) => (answer = resolve));
  backend.once("POST /api/files/marks", async (_, next) => {
    await waiting;
    return next();
  });
  return () => answer();
}

describe("a rating key", () => {
  it("rates the focused picture at once", async () => {
    await open();
    await goTo("b.jpg");
    const answer = holdAnswer();
    void host.press("4");
    await waitFor(() => expect(ratingOf("b.jpg")).toBe("4"));
    expect(cell("b.jpg").textContent).toContain("4 stars");
    expect(statusText()).toBeUndefined();
    answer();
    await waitFor(() => expect(statusText()).toBe("b.jpg: ★★★★ (was ★★)"));
    expect(marked()).toEqual([[["2026/b.jpg"], { rating: 4 }]]);
    expect(host.toasts).toEqual([]);
    expect(ratingOf("b.jpg")).toBe("4");
  });

  it("rates selected pictures and undoes each", async () => {
    await open();
    await host.press("Mod+a");
    await host.press("x");
    expect(marked()).toEqual([[["2026/a.jpg", "2026/b.jpg", "2026/c.jpg"], { rating: -1 }]]);
    await waitFor(() => expect(statusText()).toBe("3 pictures: Rejected"));
    expect(["a.jpg", "b.jpg", "c.jpg"].map(ratingOf)).toEqual(["-1", "-1", "-1"]);
    await host.undos[0]?.run();
    await waitFor(() => expect(["a.jpg", "b.jpg", "c.jpg"].map(ratingOf)).toEqual([null, "2", null]));
    expect(statusText()).toBe("Undone: 3 pictures: Rejected");
  });

  it("sends nothing without a change", async () => {
    await open();
    await goTo("b.jpg");
    await host.press("2");
    expect(backend.files.mark).not.toHaveBeenCalled();
  });

  it("applies the later of two ratings", async () => {
    await open();
    await goTo("a.jpg");
    const answer = holdAnswer();
    const first = host.press("3");
    const second = host.press("5");
    await waitFor(() => expect(ratingOf("a.jpg")).toBe("5"));
    expect(backend.files.mark).toHaveBeenCalledOnce();
    answer();
    await Promise.all([first, second]);
    expect(marked()).toEqual([[["2026/a.jpg"], { rating: 3 }], [["2026/a.jpg"], { rating: 5 }]]);
    expect(ratingOf("a.jpg")).toBe("5");
  });

  it("reverts and reports a failure", async () => {
    await open();
    await goTo("b.jpg");
    backend.files.mark.mockRejectedValueOnce(new ApiError("sidecar_damaged", 422, ""));
    await host.press("5");
    await waitFor(() => expect(ratingOf("b.jpg")).toBe("2"));
    expect(host.toasts[0]).toMatch(/^Couldn’t save changes to “b.jpg”: The XMP file .* is damaged/);
    expect(host.undos).toEqual([]);
  });

  it("names the pictures that failed", async () => {
    await open();
    await host.press("Mod+a");
    backend.files.mark.mockResolvedValueOnce({
      marked: [{ root: "R1", path: "2026/a.jpg", rating: 1, tags: [], before: { tags: [] } }],
      skipped: 0,
      failed: [{ name: "b.jpg", error: { code: "sidecar_damaged", message: "" } }],
    });
    await host.press("1");
    await waitFor(() => expect(["a.jpg", "b.jpg"].map(ratingOf)).toEqual(["1", "2"]));
    expect(host.toasts).toHaveLength(1);
  });

  it("reports that there is no picture", async () => {
    await open();
    await goTo("more");
    await host.press("1");
    expect(host.toasts).toEqual(["Only pictures can be changed."]);
  });

  it("is undone to the sidecar's rating", async () => {
    backend.unread = 1;
    await open();
    await goTo("b.jpg");
    backend.entries = backend.entries.map((one) => ({ ...one, rating: 5 }));
    await host.press("2");
    await waitFor(() => expect(statusText()).toBe("b.jpg: ★★ (was ★★★★★)"));
    await host.undos.at(-1)?.run();
    expect(backend.files.mark).toHaveBeenLastCalledWith([{ root: "R1", path: "2026/b.jpg" }], { rating: 5, discardEmpty: true });
    await host.redos.at(-1)?.run();
    expect(backend.files.mark).toHaveBeenLastCalledWith([{ root: "R1", path: "2026/b.jpg" }], { rating: 2 });
  });

  it("is undone before its answer", async () => {
    await open();
    await goTo("a.jpg");
    await host.press("4");
    const answer = holdAnswer();
    const rated = host.press("2");
    await waitFor(() => expect(ratingOf("a.jpg")).toBe("2"));
    const undone = host.undos.at(-1)?.run();
    answer();
    await Promise.all([rated, undone]);
    await waitFor(() => expect(ratingOf("a.jpg")).toBe("4"));
    expect(marked().at(-1)).toEqual([["2026/a.jpg"], { rating: 4, discardEmpty: true }]);
  });

  it("cannot be undone without an effect", async () => {
    backend.unread = 1;
    await open();
    await goTo("b.jpg");
    backend.entries = backend.entries.map((one) => ({ ...one, rating: 2 }));
    await host.press("2");
    expect(backend.files.mark).toHaveBeenCalledOnce();
    expect(host.undos).toEqual([]);
  });

  it("processes many in parts", async () => {
    backend.entries = Array.from({ length: ITEMS_AT_ONCE + 1 }, (_, at) => entry(`${at}.jpg`));
    await open();
    await host.press("Mod+a");
    await host.press("3");
    expect(backend.files.mark.mock.calls.map(([items]) => items.length)).toEqual([ITEMS_AT_ONCE, 1]);
  });

  it("stops once cancelled", async () => {
    backend.entries = Array.from({ length: ITEMS_AT_ONCE + 1 }, (_, at) => entry(`${at}.jpg`));
    await open();
    await host.press("Mod+a");
    backend.files.mark.mockImplementationOnce(() => {
      backend.entries = backend.entries.map((one, at) => (at === 0 ? { ...one, rating: 3 } : one));
      const marked = [{ root: "R1", path: "2026/0.jpg", rating: 3, tags: [], before: { tags: [] } }];
      return Promise.resolve({ marked, skipped: ITEMS_AT_ONCE - 1, failed: [] });
    });
    await host.press("3");
    await waitFor(() => expect(statusText()).toBe("0.jpg: ★★★ (was unrated)"));
    expect(backend.files.mark).toHaveBeenCalledOnce();
    await waitFor(() => expect(["0.jpg", "1.jpg"].map(ratingOf)).toEqual(["3", null]));
  });

  it("rates the picture in viewer or comparison", async () => {
    const room = await open("a.jpg");
    await screen.findByTestId("viewer");
    await host.press("3");
    await waitFor(() => expect(within(screen.getByTestId("viewer")).getByTestId("rating").dataset["rating"]).toBe("3"));
    await room.rerender({ place: placeAt() });
    await host.press("Mod+a");
    cell("more").click();
    await goTo("a.jpg");
    await userEvent.keyboard("{Shift>}{ArrowRight}{/Shift}");
    await host.press("c");
    await waitFor(() => expect(screen.getAllByTestId("compare-picture")).toHaveLength(2));
    await host.press("j");
    await host.press("1");
    expect(marked().at(-1)).toEqual([["2026/b.jpg"], { rating: 1 }]);
    const second = screen.getAllByTestId("compare-picture")[1] as HTMLElement;
    await waitFor(() => expect(within(second).getByTestId("rating").dataset["rating"]).toBe("1"));
    expect(document.activeElement).toBe(second);
    // File operations apply to the same picture; without it there is nothing left to compare.
    await host.act("files-bin");
    expect(backend.files.bin.mock.lastCall?.[0].map(({ path }) => path)).toEqual(["2026/b.jpg"]);
    await waitFor(() => expect(screen.queryByTestId("compare")).toBeNull());
  });
});

describe("going on after a rating", () => {
  it("shows the next picture, which stays last", async () => {
    const room = await open("a.jpg");
    await screen.findByTestId("viewer");
    await host.press("3");
    expect(host.visited).toEqual([]);
    await host.press("g");
    await waitFor(() => expect(screen.getByTestId("rating-advance").getAttribute("aria-pressed")).toBe("true"));
    // It goes on also if the picture has this rating already.
    await host.press("3");
    expect(host.visited.at(-1)).toContain("view=b.jpg");
    await room.rerender({ place: placeAt("c.jpg") });
    await waitFor(() => expect(screen.getByTestId("viewer").getAttribute("aria-label")).toBe("c.jpg"));
    await host.press("5");
    expect(host.visited).toHaveLength(1);
    expect(marked()).toEqual([[["2026/a.jpg"], { rating: 3 }], [["2026/c.jpg"], { rating: 5 }]]);
  });

  it("focuses the next picture of a comparison", async () => {
    sessionMemory.isRatingAdvancing = true;
    await open();
    await goTo("a.jpg");
    await userEvent.keyboard("{Shift>}{ArrowRight}{/Shift}");
    await host.press("c");
    await waitFor(() => expect(screen.getAllByTestId("compare-picture")).toHaveLength(2));
    const second = screen.getAllByTestId("compare-picture")[1] as HTMLElement;
    await host.press("1");
    await waitFor(() => expect(document.activeElement).toBe(second));
    await host.press("4");
    await waitFor(() => expect(marked()).toEqual([[["2026/a.jpg"], { rating: 1 }], [["2026/b.jpg"], { rating: 4 }]]));
    expect(document.activeElement).toBe(second);
  });
});

describe("a turn", () => {
  const thumb = (name: string) => within(cell(name)).getByTestId("thumb").getAttribute("src") ?? "";
  const turnIn = (name: string) => new URL(thumb(name), "http://localhost").searchParams.get("turn");
  const turns = () => ["a.jpg", "b.jpg", "c.jpg"].map(turnIn);

  beforeEach(() => {
    backend.entries = [
      entry("a.jpg", { width: 4, height: 3, orientation: 1 }),
      entry("b.jpg", { width: 4, height: 3, orientation: 6, rating: 2 }),
      entry("c.jpg", { width: 3, height: 4, orientation: 1, turn: 6 }),
      entry("d.mp4", { video: true }),
    ];
  });

  it("shows the selected pictures turned at once", async () => {
    await open();
    await host.press("Mod+a");
    const answer = holdAnswer();
    void host.act("rotate-right");
    await waitFor(() => expect(turns()).toEqual(["6", "6", "3"]));
    answer();
    await waitFor(() => expect(statusText()).toBe("3 pictures: Rotate right"));
    expect(turns()).toEqual(["6", "6", "3"]);
    expect(marked()).toEqual([[["2026/a.jpg", "2026/b.jpg", "2026/c.jpg"], { turn: 6 }]]);
    await host.undos[0]?.run();
    await waitFor(() => expect(turns()).toEqual([null, null, "6"]));
    expect(marked().at(-1)?.[1]).toEqual({ turn: 8, discardEmpty: true });
    expect(ratingOf("b.jpg")).toBe("2");
  });

  it("reports a picture that can’t be turned", async () => {
    await open();
    await goTo("b.jpg");
    backend.files.mark.mockRejectedValueOnce(new ApiError("read_only", 507, ""));
    await host.act("flip-across");
    await waitFor(() => expect(host.toasts[0]).toMatch(/^Couldn’t save changes to “b.jpg”: /));
    expect(turnIn("b.jpg")).toBeNull();
  });

  it("and a crop are removed and undone apart", async () => {
    const crop = { x: 0.25, y: 0.5, width: 0.5, height: 1, angle: 0 };
    backend.entries = [entry("c.jpg", { width: 3, height: 2, orientation: 1, turn: 6, crop }), entry("d.jpg", { width: 4, height: 3 })];
    await open();
    await host.press("Mod+a");
    const cropIn = (name: string) => new URL(thumb(name), "http://localhost").searchParams.get("crop");
    expect(cropIn("c.jpg")).toBe("0.25,0.5,0.5,1,0");
    await host.act("uncrop");
    await waitFor(() => expect(statusText()).toBe("Removed the crop of “c.jpg”"));
    expect([cropIn("c.jpg"), turnIn("c.jpg")]).toEqual([null, "6"]);
    await host.undos[0]?.run();
    await waitFor(() => expect(cropIn("c.jpg")).toBe("0.25,0.5,0.5,1,0"));
    expect(marked().map(([names]) => names)).toEqual([["2026/c.jpg"], ["2026/c.jpg"]]);
  });

  it("leaves videos as they are", async () => {
    await open();
    await goTo("d.mp4");
    await host.act("rotate-left");
    expect(host.toasts).toEqual(["Only pictures can be changed."]);
    expect(backend.files.mark).not.toHaveBeenCalled();
  });
});

describe("a change elsewhere", () => {
  it("keeps the previous marks until read", async () => {
    await open();
    backend.unread = 2;
    backend.reading = "2";
    backend.entries = [entry("more", { kind: "folder" }), entry("a.jpg"), entry("b.jpg"), entry("c.jpg")];
    backend.emit("folder.changed", { root: "R1", path: "2026" });
    await waitFor(() => expect(backend.folders.list).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(host.statusItems[0]?.text).toBe("3 pictures · 1 folder"));
    expect(ratingOf("b.jpg")).toBe("2");
    backend.unread = 0;
    backend.entries = [entry("more", { kind: "folder" }), entry("a.jpg", { rating: 5 }), entry("b.jpg"), entry("c.jpg")];
    backend.emit("folder.read", { root: "R1", path: "2026", unread: 0 });
    await waitFor(() => expect(["a.jpg", "b.jpg"].map(ratingOf)).toEqual(["5", null]));
  });
});

describe("a newer entry", () => {
  async function learn() {
    backend.unread = 0;
    backend.entries = backend.entries.map((one) => (one.kind === "picture" ? { ...one, rating: 4, tags: ["旅"] } : one));
    backend.emit("folder.read", { root: "R1", path: "2026", unread: 0 });
    await waitFor(() => expect(ratingOf("a.jpg")).toBe("4"));
  }

  it("applies to an earlier selection", async () => {
    backend.unread = 3;
    await open();
    await goTo("a.jpg");
    await host.press("Mod+a");
    await learn();
    await host.press("4");
    expect(backend.files.mark).not.toHaveBeenCalled();
    await host.press("0");
    expect(marked().at(-1)?.[1]).toEqual({ rating: 0 });
  });

  it("updates the open dialog", async () => {
    backend.unread = 3;
    await open();
    await goTo("a.jpg");
    await host.act("marks");
    await screen.findByTestId("marks-dialog");
    await learn();
    await waitFor(() => expect(screen.queryAllByTestId("tag").map((one) => one.dataset["tag"])).toContain("旅"));
  });
});

describe("the dialog", () => {
  const tags = () => screen.queryAllByTestId("tag").map((one) => one.dataset["tag"]);

  async function openQuestion() {
    await open();
    await host.press("Mod+a");
    await host.act("marks");
    return screen.findByTestId("marks-dialog");
  }

  it("adds and removes tags of all or some", async () => {
    await openQuestion();
    expect(screen.getByTestId("tag").textContent).toContain("1 of 3");
    await userEvent.click(screen.getByTestId("tag-to-all"));
    await waitFor(() => expect(screen.getByTestId("tag").textContent).not.toContain("of 3"));
    expect(marked()).toEqual([[["2026/a.jpg", "2026/c.jpg"], { add: ["sea"] }]]);
    await userEvent.click(screen.getByTestId("tag-remove"));
    await waitFor(() => expect(tags()).toEqual([]));
    expect(document.activeElement).toBe(screen.getByTestId("tag-field"));
  });

  it("rates all of them", async () => {
    await openQuestion();
    expect(screen.getByTestId("stars").dataset["rating"]).toBeUndefined();
    await userEvent.click(screen.getByTestId("rate-4"));
    await waitFor(() => expect(screen.getByTestId("stars").dataset["rating"]).toBe("4"));
    expect(["a.jpg", "b.jpg", "c.jpg"].map(ratingOf)).toEqual(["4", "4", "4"]);
  });

  it("adds tags at Enter and comma, with suggestions", async () => {
    backend.tagsNow = [
      { tag: "sea", count: 9 },
      { tag: "Places/Kyoto", count: 3 },
      { tag: "Seaside", count: 1 },
    ];
    await openQuestion();
    const field = screen.getByTestId<HTMLInputElement>("tag-field");
    await waitFor(() => expect(document.activeElement).toBe(field));
    await userEvent.keyboard("sun,");
    await waitFor(() => expect(tags()).toContain("sun"));
    expect(field.value).toBe("");
    await userEvent.keyboard("kyo");
    const offered = await screen.findAllByTestId("tag-offered");
    expect(offered.map((one) => one.querySelector("bdi")?.textContent)).toEqual(["Places/Kyoto"]);
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }));
    expect(tags()).not.toContain("kyo");
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(tags()).toContain("Places/Kyoto"));
    await userEvent.keyboard("  {Enter}");
    expect(marked()).toHaveLength(2);
  });

  it("Escape leaves the field before the dialog", async () => {
    const dialog = await openQuestion();
    await userEvent.keyboard("su{Escape}");
    expect(screen.getByTestId<HTMLInputElement>("tag-field").value).toBe("");
    dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
    await waitFor(() => expect(screen.queryByTestId("marks-dialog")).toBeNull());
    expect(backend.files.mark).not.toHaveBeenCalled();
  });
});

describe("the information panel", () => {
  async function openFull() {
    await open("b.jpg");
    await screen.findByTestId("viewer");
    await host.press("i");
    await host.press("f");
    await screen.findByTestId("picture-marks");
  }

  it("changes the rating and the tags", async () => {
    await openFull();
    expect(screen.getByTestId("stars").dataset["rating"]).toBe("2");
    await userEvent.click(screen.getByTestId("rate-0"));
    await waitFor(() => expect(screen.getByTestId("stars").dataset["rating"]).toBe("0"));
    await userEvent.type(screen.getByTestId("tag-field"), "sky{Enter}");
    await waitFor(() => expect(screen.getAllByTestId("tag").map((one) => one.dataset["tag"])).toEqual(["sea", "sky"]));
    expect(backend.entries[2]).toMatchObject({ rating: null, tags: ["sea", "sky"] });
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(document.body);
  });

  it("requests unread marks", async () => {
    backend.files.marks.mockResolvedValue({ rating: 5, tags: ["night"], origins: {} });
    await openFull();
    await waitFor(() => expect(screen.getByTestId("stars").dataset["rating"]).toBe("5"));
    expect(screen.getByTestId("tag").dataset["tag"]).toBe("night");
  });

  describe("the caption", () => {
    const field = () => screen.findByTestId<HTMLTextAreaElement>("picture-caption");

    beforeEach(() => {
      backend.entries = backend.entries.map((one) => (one.name === "b.jpg" ? { ...one, caption: "A cat" } : one));
    });

    it("saves on leaving, and is undone", async () => {
      await openFull();
      await waitFor(async () => expect((await field()).value).toBe("A cat"));
      await userEvent.type(await field(), " on a wall");
      await userEvent.tab();
      await waitFor(() => expect(marked()).toEqual([[["2026/b.jpg"], { caption: "A cat on a wall" }]]));
      await host.undos.at(-1)?.run();
      await waitFor(() => expect(backend.entries[2]?.caption).toBe("A cat"));
    });

    it("stays as it was on Escape", async () => {
      await openFull();
      await userEvent.type(await field(), "x{Escape}");
      await waitFor(async () => expect((await field()).value).toBe("A cat"));
      expect(marked()).toEqual([]);
    });
  });

  it("says what is from the file", async () => {
    backend.originsNow = { caption: "iptc", tags: "sidecar" };
    await openFull();
    expect((await screen.findByTestId("marks-origin")).textContent).toBe("From the picture file: Caption (IPTC)");
  });

  it("reports a damaged sidecar calmly", async () => {
    backend.files.marks.mockRejectedValue(new ApiError("sidecar_damaged", 422, ""));
    await openFull();
    expect((await screen.findByTestId("marks-failed")).textContent).toContain("It wasn’t changed, and the picture is fine.");
  });
});

it("notifies a user elsewhere of long work", async () => {
  const desktop = fakeDesktop();
  backend.desktop = desktop;
  await open();
  const answer = holdAnswer();
  await goTo("a.jpg");
  void host.press("4");
  await waitFor(() => expect(ratingOf("a.jpg")).toBe("4"));
  const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 5_000);
  answer();
  await waitFor(() => expect(desktop.notify).toHaveBeenCalledExactlyOnceWith({ title: "Change of ratings, tags and other marks finished", body: "", address: "/" }));
  now.mockRestore();
});
