// Pictures of several files in the view: their badge, the switch in the viewer, and the undo of marks in two sidecars.
import { screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import type { FolderEntry } from "../api/backend";
import { withJoinedFiles } from "../api/joined-files";
import { canonicalPath } from "../api/names";
import { FakeBackend } from "../testing/fake-backend";
import { openPictures } from "../testing/pictures-view";
import { StubHost } from "../testing/stub-host";
import { sessionMemory } from "./session/session-memory";

const mtime = "2026-11-20T00:00:00Z";
const picture: FolderEntry = {
  name: "a.jpg",
  kind: "picture",
  size: 1_000,
  mtime,
  id: "j",
  rating: 1,
  companions: [{ part: "raw", name: "a.cr3", kind: "picture", size: 9_000, mtime, id: "r" }],
};
const alone: FolderEntry = { name: "b.jpg", kind: "picture", size: 1_000, mtime, id: "b" };

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [picture, alone];
  host = new StubHost();
  sessionMemory.isInfoShown = false;
});

async function open(view: string | null, joined: boolean[] = []) {
  const place = { root: "R1", path: canonicalPath("2026"), view: view === null ? null : canonicalPath(view) };
  openPictures({ place, backend: withJoinedFiles(backend, () => true), host, isJoined: true, onjoined: (isJoined: boolean) => void joined.push(isJoined) });
  await screen.findAllByTestId("cell");
}

it("pictures with a raw file are badged", async () => {
  const joined: boolean[] = [];
  await open(null, joined);
  const [first, second] = screen.getAllByTestId("cell");
  expect(within(first as HTMLElement).getByTestId("parts-badge").textContent?.trim()).toBe("RAW");
  expect(within(second as HTMLElement).queryByTestId("parts-badge")).toBeNull();
  await host.press("Shift+j");
  expect(joined).toEqual([false]);
});

it("albums are counted with their files joined", async () => {
  backend.on("GET /api/albums", () => []);
  await withJoinedFiles(backend, () => true).albums.list();
  await withJoinedFiles(backend, () => false).albums.list();
  expect(backend.sent("GET /api/albums").map(({ query }) => query.joined)).toEqual(["true", undefined]);
});

it("a key shows the picture's other file", async () => {
  await open("a.jpg");
  await screen.findByTestId("next-file");
  await host.press("y");
  expect(host.visited.at(-1)).toContain("view=a.cr3");
});

it("a raw file's address shows its picture", async () => {
  await open("a.cr3");
  await waitFor(() => expect(screen.getByTestId("viewer").getAttribute("aria-label")).toBe("a.cr3"));
  expect(screen.getByTestId("next-file").textContent).toContain("CR3");
});

it("undo restores a raw file's different rating", async () => {
  backend.once("POST /api/files/marks", () => {
    const row = (path: string, before: number) => ({ root: "R1", path: `2026/${path}`, rating: 3, tags: [], before: { rating: before, tags: [] } });
    return { marked: [row("a.jpg", 1), row("a.cr3", 5)], skipped: 0, failed: [] };
  });
  await open("a.jpg");
  await screen.findByTestId("next-file");
  await host.press("3");
  await waitFor(() => expect(host.undos).toHaveLength(1));
  await host.undos[0]?.run();
  const sent = backend.files.mark.mock.calls.map(([items, { rating, joined }]) => [items.map(({ path }) => path), rating, joined]);
  expect(sent).toEqual([
    [["2026/a.jpg"], 3, true],
    [["2026/a.jpg"], 1, true],
    [["2026/a.cr3"], 5, false],
  ]);
});
