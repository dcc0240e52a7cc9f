// The side panel of the hash records.
import { render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it } from "vitest";
import { type HashesPlace, NO_HASH_FILTER } from "../../api/addresses/hashes-address";
import { JobWatch } from "../../jobs";
import { FakeBackend } from "../../testing/fake-backend";
import { shownFolder } from "../shown-folder.svelte";
import RecordedFoldersPanel from "./RecordedFoldersPanel.svelte";

let backend: FakeBackend;

beforeEach(() => {
  backend = new FakeBackend();
  backend.hashRecords.foldersNow = [
    { path: "/photos", states: { ok: 1200 } },
    { path: "/photos/2026", states: { ok: 1, corrupt: 2 } },
  ];
});

function open(q = "") {
  const place: HashesPlace = { part: "records", within: null, filter: { ...NO_HASH_FILTER, q }, job: null };
  render(RecordedFoldersPanel, { place, backend, watch: new JobWatch(backend), describe: String });
}

const rows = () => screen.getAllByTestId("tree-item").map((row) => row.textContent.replace(/\s+/g, " ").trim());

it("each folder has its worst state", async () => {
  open("/photos/2026/");
  await screen.findAllByTestId("tree-item");
  expect(rows()).toEqual(["/photos 1,203 Corrupt", "2026 3 Corrupt"]);
  const [top, below] = screen.getAllByTestId("tree-item");
  expect(top?.getAttribute("href")).toBe("/hashes?q=%2Fphotos%2F");
  expect([top?.ariaCurrent ?? null, below?.getAttribute("aria-current")]).toEqual([null, "page"]);
});

it("found changes are shown at once", async () => {
  open();
  await screen.findAllByTestId("tree-item");
  backend.hashRecords.foldersNow = [{ path: "/photos", states: { ok: 3 } }];
  backend.emit("hashes.found", { changed: 0, damaged: 1 } as never);
  await waitFor(() => expect(rows()).toEqual(["/photos 3 Verified"]));
});

it("a decision by hand is shown at once", async () => {
  open();
  await screen.findAllByTestId("tree-item");
  backend.hashRecords.foldersNow = [{ path: "/photos", states: { ok: 5 } }];
  shownFolder.changes += 1;
  await waitFor(() => expect(rows()).toEqual(["/photos 5 Verified"]));
});

it("without records says what appears here", async () => {
  backend.hashRecords.foldersNow = [];
  open();
  expect(await screen.findByText("The folders that you record appear here, with the worst state of their files.")).toBeDefined();
});
