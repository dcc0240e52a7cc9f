// Recent folders in the pictures view: the recorded ones, and their list.
import { screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { setLocale } from "../../i18n";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import type { FolderPlace } from "../query/address";
import { RecentFolders } from "./recent-folders.svelte";
import { Roots } from "./roots.svelte";

let backend: FakeBackend;
let host: StubHost;
let recent: RecentFolders;

const at = (root: string | null, path = ""): FolderPlace => ({ root, path: canonicalPath(path), view: null });
const visited = (path: string, root = "R1") => ({ root, path, at: "2026-11-20T00:00:00Z" });

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [
    { id: "R1", name: "Photos", path: "/photos", available: true },
    { id: "R2", name: "Scans", path: "/scans", available: false },
  ];
  backend.entries = [{ name: "a.jpg", kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z" }];
  host = new StubHost();
  recent = new RecentFolders(backend.users);
});
afterEach(() => {
  vi.useRealTimers();
  setLocale("en");
});

function open(place: FolderPlace) {
  return openPictures({ place, backend, host, roots: new Roots(backend), recent });
}

const rows = () => screen.findAllByTestId("recent-folder");
const rowTexts = async () => (await rows()).map((row) => row.textContent.replace(/\s+/g, " ").trim());
const noted = () => backend.users.visitFolder.mock.calls.map(([{ root, path }]) => `${root}/${path}`);

it("a visit is recorded after a while", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { rerender, unmount } = open(at("R1", "passed"));
  await screen.findAllByTestId("cell");
  await vi.advanceTimersByTimeAsync(500);
  await rerender({ place: at("R1", "2026/京都") });
  await screen.findAllByTestId("cell");
  await vi.advanceTimersByTimeAsync(1_100);
  expect(noted()).toEqual(["R1/2026/%E4%BA%AC%E9%83%BD"]);
  await rerender({ place: at("R1", "left") });
  await screen.findAllByTestId("cell");
  unmount();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(noted()).toHaveLength(1);
});

it("the list shows them without open roots", async () => {
  backend.visitedFolders = [visited("2026/京都"), visited(""), visited("a/b", "R2"), visited("x", "R9")];
  open(at(null));
  expect(await rowTexts()).toEqual(["京都 Photos/2026", "b Scans/a unavailable"]);
  expect((await rows())[0]?.getAttribute("href")).toBe("/pictures/R1/2026/%E4%BA%AC%E9%83%BD");
  expect(screen.getByRole("heading", { name: "Recent folders" })).toBeTruthy();
});

it("eight at most are listed", async () => {
  const { unmount } = open(at(null));
  await screen.findAllByTestId("root");
  await waitFor(() => expect(backend.users.folders).toHaveBeenCalledOnce());
  expect(screen.queryByTestId("recent-folders")).toBeNull();
  unmount();
  backend.visitedFolders = Array.from({ length: 12 }, (_, index) => visited(`${index}`));
  open(at(null));
  expect(await rows()).toHaveLength(8);
});

it("the key removes one and focuses the next", async () => {
  backend.visitedFolders = [visited("a"), visited("b"), visited("c")];
  open(at(null));
  (await rows())[1]?.focus();
  await host.press("Delete");
  await waitFor(async () => expect(await rowTexts()).toEqual(["a Photos", "c Photos"]));
  expect(backend.users.forgetFolder).toHaveBeenCalledExactlyOnceWith({ root: "R1", path: "b" });
  await waitFor(async () => expect(document.activeElement).toBe((await rows())[1]));
  expect(host.questions).toEqual([]);
});

it("the key in a root's row asks first", async () => {
  backend.visitedFolders = [visited("a")];
  open(at(null));
  await rows();
  screen.getAllByTestId("root")[0]?.focus();
  await host.press("Delete");
  expect(host.questions[0]?.title).toBe("Remove “Photos” from the list?");
  expect(backend.users.forgetFolder).not.toHaveBeenCalled();
});

it("a failed removal is reported and reverted", async () => {
  backend.visitedFolders = [visited("a")];
  open(at(null));
  await rows();
  backend.users.forgetFolder.mockRejectedValueOnce(new ApiError("disk_full", 507, ""));
  await userEvent.click(screen.getByRole("button", { name: "Remove “a” from recent folders" }));
  expect(await rowTexts()).toEqual(["a Photos"]);
  expect(host.toasts).toHaveLength(1);
});

it("they are named in Japanese, too", async () => {
  backend.visitedFolders = [visited("a")];
  setLocale("ja");
  open(at(null));
  await rows();
  expect(screen.getByRole("heading", { name: "最近のフォルダー" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "「a」を最近のフォルダーから外す" })).toBeTruthy();
});
