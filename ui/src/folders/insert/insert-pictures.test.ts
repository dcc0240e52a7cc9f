// Pictures are inserted from their folder into a page: by keyboard, and by drag and drop.
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry, LocksApi, VisitedPage } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { PICTURES_TYPE, takePassedPictures, writePictures } from "../../editing/files/picture-transfer";
import { LockTokens } from "../../editing/locks/lock-tokens";
import { tabId } from "../../editing/locks/tab-id";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import InsertPictures from "./InsertPictures.svelte";
import { insertIntoPage, picturesOf } from "./insert-pictures";

const entry = (name: string, kind: FolderEntry["kind"] = "picture"): FolderEntry => ({ name, kind, size: 1, mtime: "2026-11-20T00:00:00Z", id: name });
const MOSS = { root: "R1", path: canonicalPath("2024/moss.jpg"), name: "moss.jpg" };
const PAGE: VisitedPage = { page_id: "P1", path: "/旅/京都", title: "京都" };
const LOCK = { token: "01ARZ3NDEKTSV4RRFFQ69G5FAV", expire: "2026-11-20T10:00:00Z" };

let acquire: ReturnType<typeof vi.fn<LocksApi["acquire"]>>;
let release: ReturnType<typeof vi.fn<LocksApi["release"]>>;
let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  sessionStorage.clear();
  takePassedPictures("P1");
  acquire = vi.fn<LocksApi["acquire"]>(() => Promise.resolve(LOCK));
  release = vi.fn<LocksApi["release"]>(() => Promise.resolve());
  backend = new FakeBackend();
  Object.assign(backend.locks, { acquire, release });
  backend.users.visits = vi.fn(() => Promise.resolve([PAGE]));
  host = new StubHost();
});

it("only pictures are inserted, with display names", () => {
  const entries = [entry("moss.jpg"), entry("inner", "folder"), entry("note.txt", "other"), entry("a\nb.jpg")];
  const pictures = picturesOf({ root: "R1", path: canonicalPath("2024") }, entries);
  expect(pictures).toEqual([MOSS, { root: "R1", path: "2024/a%0Ab.jpg", name: "a\\nb.jpg" }]);
});

it("the editor of the locked page gets them", async () => {
  await insertIntoPage(backend, host, PAGE, [MOSS], () => false);
  expect(acquire).toHaveBeenCalledExactlyOnceWith("P1", false);
  expect(host.visited).toEqual(["/edit/%E6%97%85/%E4%BA%AC%E9%83%BD"]);
  expect(takePassedPictures("P1")).toEqual([MOSS]);
  expect(release).not.toHaveBeenCalled();
});

it("a page that another user edits stays unchanged", async () => {
  acquire.mockRejectedValueOnce(new ApiError("locked", 409, ""));
  await expect(insertIntoPage(backend, host, PAGE, [MOSS], () => false)).rejects.toThrow(ApiError);
  expect(host.visited).toEqual([]);
  expect(takePassedPictures("P1")).toEqual([]);
});

it("a refused navigation releases the lock", async () => {
  host.navigate = () => Promise.resolve(false);
  await insertIntoPage(backend, host, PAGE, [MOSS], () => false);
  expect(release).toHaveBeenCalledExactlyOnceWith("P1", LOCK.token);
  expect(new LockTokens(await tabId()).read("P1")).toBeNull();
  expect(takePassedPictures("P1")).toEqual([]);
});

it("closing the dialog cancels and releases the lock", async () => {
  let answer: (lock: typeof LOCK) => void = () => {};
  acquire.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const { rerender } = render(InsertPictures, { pictures: [MOSS], backend, host, onask: vi.fn(), onclose: vi.fn() });
  await screen.findAllByTestId("give-option");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(acquire).toHaveBeenCalled());
  await rerender({ pictures: null });
  answer(LOCK);
  await waitFor(() => expect(release).toHaveBeenCalledExactlyOnceWith("P1", LOCK.token));
  expect(host.visited).toEqual([]);
});

it("an edited page keeps its own lock", async () => {
  new LockTokens(await tabId()).write("P1", LOCK);
  host.navigate = () => Promise.resolve(false);
  await insertIntoPage(backend, host, PAGE, [MOSS], () => false);
  expect(acquire).not.toHaveBeenCalled();
  expect(release).not.toHaveBeenCalled();
});

it("the dialog lists recent pages and shows errors", async () => {
  backend.pagesNow = [{ page_id: "P2", path: "/a", deleted: false, last_update: { revision: 1, timestamp: "2026-11-20T00:00:00Z", user_name: "Aya" } }];
  render(InsertPictures, { pictures: [MOSS], backend, host, onask: vi.fn(), onclose: vi.fn() });
  expect(screen.getByRole("dialog", { name: "Insert “moss.jpg” into a page" })).toBeDefined();
  await waitFor(() => expect(screen.getAllByTestId("give-option").map((row) => row.textContent.trim())).toEqual(["京都 /旅/京都", "a /a"]));
  acquire.mockRejectedValueOnce(new ApiError("locked", 409, ""));
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(screen.getByTestId("give-page").getAttribute("aria-invalid")).toBe("true"));
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(host.visited).toHaveLength(1));
});

/** A substitute for the part of `DataTransfer` that a drag uses, which the test document lacks. */
function transfer(): DataTransfer {
  const stored = new Map<string, string>();
  const data = {
    get types() {
      return [...stored.keys()];
    },
    setData: (type: string, text: string) => void stored.set(type, text),
    getData: (type: string) => stored.get(type) ?? "",
  };
  return data as unknown as DataTransfer;
}

async function drag(): Promise<DataTransfer> {
  const data = transfer();
  writePictures(data, [MOSS]);
  await fireEvent(document.body, Object.assign(new Event("dragstart", { bubbles: true }), { dataTransfer: data }));
  return data;
}

const dropOn = (target: Element, dataTransfer: DataTransfer) => fireEvent(target, Object.assign(new Event("drop", { bubbles: true, cancelable: true }), { dataTransfer }));

it("dragging shows pages to drop on", async () => {
  render(InsertPictures, { pictures: null, backend, host, onask: vi.fn(), onclose: vi.fn() });
  expect(screen.queryByTestId("page-targets")).toBeNull();
  const data = await drag();
  await waitFor(() => expect(screen.getAllByTestId("page-target")).toHaveLength(2));
  const [page] = screen.getAllByTestId("page-target");
  const over = Object.assign(new Event("dragover", { bubbles: true, cancelable: true }), { dataTransfer: data });
  await fireEvent(page!, over);
  expect(over.defaultPrevented).toBe(true);
  await dropOn(page!, data);
  await waitFor(() => expect(takePassedPictures("P1")).toEqual([MOSS]));
  expect(screen.queryByTestId("page-targets")).toBeNull();
});

it("a drop elsewhere does nothing", async () => {
  const onask = vi.fn();
  render(InsertPictures, { pictures: null, backend, host, onask, onclose: vi.fn() });
  await drag();
  await screen.findByTestId("page-targets");
  await fireEvent(document.body, new Event("dragend", { bubbles: true }));
  await waitFor(() => expect(screen.queryByTestId("page-targets")).toBeNull());
  const data = await drag();
  await waitFor(() => expect(screen.getAllByTestId("page-target")).toHaveLength(2));
  await dropOn(screen.getAllByTestId("page-target")[1]!, data);
  expect(onask).toHaveBeenCalledExactlyOnceWith([MOSS]);
});

it("a press ends a drag without an end", async () => {
  let request: AbortSignal | undefined;
  const visits = (signal?: AbortSignal) => {
    request = signal;
    return Promise.resolve([PAGE]);
  };
  Object.assign(backend.users, { visits });
  const { unmount } = render(InsertPictures, { pictures: null, backend, host, onask: vi.fn(), onclose: vi.fn() });
  await drag();
  await screen.findByTestId("page-targets");
  await fireEvent.pointerDown(document.body);
  expect(screen.queryByTestId("page-targets")).toBeNull();
  await drag();
  await screen.findByTestId("page-targets");
  await waitFor(() => expect(request?.aborted).toBe(false));
  unmount();
  expect(request?.aborted).toBe(true);
});

it("other drags show no targets", async () => {
  render(InsertPictures, { pictures: null, backend, host, onask: vi.fn(), onclose: vi.fn() });
  const data = transfer();
  data.setData("text/plain", "text");
  expect(data.types).not.toContain(PICTURES_TYPE);
  await fireEvent(document.body, Object.assign(new Event("dragstart", { bubbles: true }), { dataTransfer: data }));
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(screen.queryByTestId("page-targets")).toBeNull();
});
