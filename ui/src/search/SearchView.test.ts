import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type FileResult, parseSearchAddress, type PageResult, type PictureResult, type RecordResult, type SearchAnswer, type SearchItem, type SearchKind, type SearchPlace } from "../api/search";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import SearchView from "./SearchView.svelte";

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
});

function open(query: string, place: Partial<SearchPlace> = {}) {
  const view = render(SearchView, { place: { query, kind: null, deleted: false, revisions: false, ...place }, backend, host, now: new Date("2026-11-26T00:00:00Z") });
  // The frame shows the place of an address.
  vi.spyOn(host, "navigate").mockImplementation(async (url) => {
    host.visited.push(url);
    const place = parseSearchAddress(new URL(url, "http://x"));
    if (place !== null) await view.rerender({ place });
    return true;
  });
  return view;
}

const marked = (text: string) => ({ text, highlights: [] });
const facts = { snippets: [], score: 1 };

function page(path: string): PageResult {
  return { kind: "page", page_id: path, title: marked(path.slice(1)), path: marked(path), deleted: false, moved_from: null, updated: "2026-11-01T00:00:00Z", user_name: "Aya", ...facts };
}

function picture(name: string): PictureResult {
  return { kind: "picture", root: "R1", root_path: name, root_path_bytes: null, title: { text: name, highlights: [[0, 1]] }, path: marked(`/p/${name}`), version: "V1", taken: null, ...facts };
}

/** In the trash. */
function file(name: string): FileResult {
  return { kind: "file", asset_id: name, page_id: "P1", page_path: "/p", title: marked(name), path: marked(`/p/${name}`), deleted: true, added: "2026-11-01T00:00:00Z", ...facts };
}

function record(path: string): RecordResult {
  return { kind: "record", title: marked(path.slice(1)), path: marked(path), path_bytes: null, state: "corrupt", ...facts };
}

function answer<T extends SearchItem>(items: T[], more: Partial<Omit<SearchAnswer, "items">> = {}) {
  return { items, total: items.length, anchor: null, partial: null, ...more };
}

const groups = async () => (await screen.findAllByTestId("search-group")).map((group) => group.dataset["kind"]);
const group = (kind: SearchKind) => screen.getAllByTestId("search-group").find((one) => one.dataset["kind"] === kind) as HTMLElement;
const settled = () => waitFor(() => expect(screen.getByTestId("search-view").dataset["query"]).toBeDefined());
const focused = () => document.activeElement?.textContent.trim().split(/\s/)[0];

describe("the search", () => {
  it("groups and counts results by kind", async () => {
    backend.finds.page.mockResolvedValue(answer([page("/a"), page("/b")], { total: 1_234 }));
    backend.finds.picture.mockResolvedValue(answer([picture("c.jpg")]));
    backend.finds.record.mockResolvedValue(answer([record("/d")]));
    const { container } = open("x");
    await settled();
    expect(await groups()).toEqual(["page", "picture", "record"]);
    expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent.trim())).toEqual(["Pages 1,234", "Pictures 1", "Hash records 1"]);
    expect(host.statusItems.map(({ text }) => text)).toEqual(["1,236 results"]);
    expect(screen.getByTestId("search-picture").querySelector("mark")?.textContent).toBe("c");
    expect(within(group("record")).getByTestId("hash-state").dataset["state"]).toBe("corrupt");
    const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
    expect(violations).toEqual([]);
  });

  it("shows pages while pictures are still searched", async () => {
    backend.finds.page.mockResolvedValue(answer([page("/a")]));
    backend.finds.picture.mockReturnValue(new Promise(() => {}));
    open("x");
    expect(await groups()).toEqual(["page"]);
    expect(host.statusItems).toEqual([]);
  });

  it("reports and retries a failed kind in place", async () => {
    backend.finds.page.mockResolvedValue(answer([page("/a")]));
    backend.finds.picture.mockRejectedValueOnce(new Error("no")).mockResolvedValue(answer([picture("c.jpg")]));
    open("x");
    await settled();
    expect(within(group("picture")).getByTestId("search-failed").textContent).toContain("Couldn’t search pictures.");
    within(group("picture")).getByTestId("search-retry").click();
    await screen.findByTestId("search-picture");
    expect(backend.finds.page).toHaveBeenCalledTimes(1);
  });

  it("reports once that nothing can be searched", async () => {
    for (const find of Object.values(backend.finds)) find.mockRejectedValue(new Error("no"));
    open("x");
    expect(await screen.findAllByTestId("error-state")).toHaveLength(1);
    expect(screen.queryAllByTestId("search-group")).toEqual([]);
  });

  it("reports no results and unsearched parts at last", async () => {
    let answerRecords: (answer: SearchAnswer<"record">) => void = () => {};
    backend.finds.record.mockReturnValue(new Promise((resolve) => (answerRecords = resolve)));
    backend.finds.picture.mockResolvedValue(answer([], { partial: { reason: "folders_missing", indexed: 2, of: 3 } }));
    open("x");
    await groups();
    expect(screen.queryByTestId("search-none")).toBeNull();
    answerRecords(answer([]));
    await screen.findByTestId("search-none");
    expect(screen.getByTestId("search-partial").textContent).toBe("Folders that can’t be searched right now: 1 of 3.");
  });

  it("offers a near query and names unknown fields", async () => {
    backend.finds.page.mockResolvedValue(answer([], { suggestion: "quokka rating:5", unknown_fields: ["rating", "has:video"] }));
    open("qokka rating:5 has:video");
    const link = await screen.findByTestId("search-near");
    expect(link.textContent).toBe("Did you mean quokka rating:5?");
    expect(link.getAttribute("href")).toBe("/search?q=quokka+rating%3A5");
    const notes = screen.getAllByTestId("search-unknown-field").map(({ textContent }) => textContent);
    expect(notes.map((note) => note.slice(0, 12))).toEqual(["“rating:” is", "“has:video” "]);
  });

  it("repeats the search while pictures are read", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    backend.finds.picture.mockResolvedValueOnce(answer([picture("a.jpg"), picture("b.jpg")], { partial: { reason: "reading_pictures", indexed: 120, of: 3_400 } }));
    open("x");
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.getByTestId("search-partial").textContent).toBe("Pictures are still being read: 120 of 3,400 so far.");
    screen.getAllByTestId("search-picture")[1]?.focus();
    backend.finds.picture.mockResolvedValue(answer([picture("c.jpg"), picture("b.jpg")]));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(screen.queryByTestId("search-partial")).toBeNull();
    expect(focused()).toBe("b.jpg");
    vi.useRealTimers();
  });

  it("adds one kind's results and focuses the first", async () => {
    backend.finds.picture.mockResolvedValueOnce(answer(Array.from({ length: 12 }, (_, index) => picture(`a${index}.jpg`)), { anchor: "12" })).mockResolvedValue(answer([picture("b.jpg")]));
    open("x");
    await userEvent.click(await screen.findByTestId("search-more"));
    await waitFor(() => expect(focused()).toBe("b.jpg"));
    expect(screen.queryByTestId("search-more")).toBeNull();
  });

  it("arrows cross groups; Enter opens the best result", async () => {
    backend.finds.page.mockResolvedValue(answer([page("/a")]));
    backend.finds.picture.mockResolvedValue(answer([picture("b.jpg")]));
    backend.finds.record.mockResolvedValue(answer([record("/c")]));
    open("x");
    await settled();
    const way: (string | undefined)[] = [];
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) {
      await userEvent.keyboard(`{${key}}`);
      way.push(focused());
    }
    expect(way).toEqual(["a", "b.jpg", "c", "a"]);
    await host.press("/");
    const opened = vi.fn((event: Event) => event.preventDefault());
    screen.getByTestId("search-item").addEventListener("click", opened);
    await userEvent.keyboard("{Enter}");
    expect(opened).toHaveBeenCalledOnce();
  });

  it("shows one kind, kept in the address", async () => {
    backend.finds.page.mockResolvedValue(answer([page("/a")]));
    backend.finds.picture.mockResolvedValue(answer([picture("b.jpg")]));
    open("x", { kind: "picture" });
    await settled();
    expect(await groups()).toEqual(["picture"]);
    expect(host.statusItems.map(({ text }) => text)).toEqual(["1 result"]);
    const kinds = screen.getAllByTestId("search-kind");
    expect(kinds.map(({ textContent }) => textContent.trim())).toEqual(["All", "Pages 1", "Pictures 1", "Files 0", "Hash records 0"]);
    expect(kinds.map((one) => one.getAttribute("href")).slice(0, 2)).toEqual(["/search?q=x", "/search?q=x&kind=page"]);
    await userEvent.type(screen.getByTestId("search-field"), "y", { initialSelectionStart: 1 });
    await waitFor(() => expect(host.visited).toEqual(["/search?q=xy&kind=picture"]));
  });

  it("keeps Trash and earlier revisions in the address", async () => {
    open("x");
    await settled();
    await userEvent.click(screen.getByLabelText("Trash"));
    expect(backend.finds.file).toHaveBeenLastCalledWith("x", { limit: "6", deleted: "true" });
    await host.press("Mod+Alt+h");
    expect(backend.finds.page).toHaveBeenLastCalledWith("x", { limit: "30", deleted: "true", revisions: "true" });
    expect(host.visited).toEqual(["/search?q=x&deleted=true", "/search?q=x&deleted=true&revisions=true"]);
    expect(screen.getByLabelText<HTMLInputElement>("Earlier revisions").checked).toBe(true);
    expect(screen.getAllByTestId("search-kind")[1]?.getAttribute("href")).toBe("/search?q=x&kind=page&deleted=true&revisions=true");
    await userEvent.type(screen.getByTestId("search-field"), "y", { initialSelectionStart: 1 });
    await waitFor(() => expect(host.visited.at(-1)).toBe("/search?q=xy&deleted=true&revisions=true"));
  });

  it("keeps typed text when a checkbox is pressed", async () => {
    open("x");
    await settled();
    await userEvent.type(screen.getByTestId("search-field"), "y", { initialSelectionStart: 1 });
    await host.press("Mod+Alt+b");
    expect(host.visited).toEqual(["/search?q=xy&deleted=true"]);
    expect(screen.getByTestId<HTMLInputElement>("search-field").value).toBe("xy");
  });

  it.each([
    ["file", ["Trash"]],
    ["record", []],
  ] as const)("offers only fitting options for the kind %s", async (kind, offered) => {
    open("x", { kind });
    await settled();
    expect(screen.queryAllByRole("checkbox").map((box) => box.closest("label")?.textContent.trim())).toEqual(offered);
    expect(host.named("Mod+Alt+h")).toBeUndefined();
  });

  it("shows the progress of reading earlier revisions", async () => {
    let answerPages: (answer: SearchAnswer<"page">) => void = () => {};
    backend.finds.page.mockReturnValue(new Promise((resolve) => (answerPages = resolve)));
    open("x", { revisions: true });
    await waitFor(() => expect(host.statusItems.map(({ text }) => text)).toEqual(["Searching earlier revisions"]));
    answerPages(answer([page("/a")], { partial: { reason: "time_limit", indexed: 1, of: 9 } }));
    await waitFor(() => expect(host.statusItems.map(({ text }) => text)).toEqual(["1 result"]));
    expect(screen.getByTestId("search-partial").textContent).toBe("1 of 9 have been searched. The others would take too long.");
  });

  it("marks results in Trash and in earlier revisions", async () => {
    backend.finds.page.mockResolvedValue(answer([page("/a"), { ...page("/b"), deleted: true, revision: 3 }]));
    backend.finds.file.mockResolvedValue(answer([file("c.pdf")]));
    open("x", { deleted: true, revisions: true });
    await settled();
    expect(screen.getAllByTestId("search-item").map((row) => within(row).queryByTestId("search-notes")?.textContent)).toEqual([undefined, "In Trash Revision 3"]);
    expect(within(screen.getByTestId("search-file")).getByTestId("search-notes").textContent.trim()).toBe("In Trash");
  });
});

it("a tag's list takes the focus", async () => {
  backend.finds.page.mockResolvedValue(answer([page("/a"), page("/b")]));
  open("tag:x");
  await waitFor(() => expect(focused()).toBe("a"));
  await userEvent.keyboard("{ArrowDown}");
  await host.press("/");
  expect(document.activeElement).toBe(screen.getByTestId("search-field"));
});

it("Escape goes back to where the search began", async () => {
  open("after:2020-11-30 before:2020-12-01", { kind: "picture" });
  const goBack = vi.spyOn(host, "goBack").mockReturnValue(true);
  await settled();
  await host.press("Escape");
  expect(goBack).toHaveBeenCalledOnce();
});

it("shows the pictures found as a folder", async () => {
  backend.finds.picture.mockResolvedValue(answer([picture("a.jpg")]));
  open("旅 rating:4");
  await settled();
  await waitFor(() => expect(host.actions.map(({ id }) => id)).toContain("search-grid"));
  await host.press("g");
  expect(host.visited.at(-1)).toBe("/pictures/search/?q=%E6%97%85+rating%3A4");
});

it("offers no folder of pictures without one", async () => {
  open("旅");
  await settled();
  expect(host.named("g")).toBeUndefined();
});
