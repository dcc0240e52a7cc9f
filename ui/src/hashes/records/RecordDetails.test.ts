import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import type { HashItem, HashState } from "../../api/hashes";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { hashItem } from "../../testing/hash-records";
import { StubHost } from "../../testing/stub-host";
import RecordDetails from "./RecordDetails.svelte";

let backend: FakeBackend;
let host: StubHost;
const onchanged = vi.fn<(item: HashItem) => void>();

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  onchanged.mockReset();
});

function open(more: Partial<HashItem> = {}, dir = "own") {
  const item = hashItem("/photos/a.jpg", { state: "corrupt", ...more });
  backend.hashRecords.items = [item];
  render(RecordDetails, { item, dir, backend, host, onchanged });
  return item;
}

const text = (id: string) => screen.getByTestId(id).textContent.replace(/\s+/g, " ").trim();

it("shows the record, its history and its place", async () => {
  backend.hashRecords.detailNow = {
    record: '{"schema_version":23}',
    history: [{ content_hash: "sha256:aa", replaced_at: "2026-11-05T12:00:00Z", state: "changed" }],
    places: [{ root: "R1", path: "2026/a.jpg" }],
  };
  open();
  expect((await screen.findByTestId("hash-place")).getAttribute("href")).toBe("/pictures/R1/2026");
  expect(text("hash-json")).toContain('{"schema_version":23}');
  expect(text("hash-history")).toContain("sha256:aa");
  expect(text("hash-facts-of")).toContain("The disk has damaged the file.");
  await host.press("f");
  expect(host.visited).toEqual(["/pictures/R1/2026"]);
});

it("copies the hash", async () => {
  const user = userEvent.setup();
  const item = open();
  await user.click(await screen.findByTestId("hash-copy"));
  expect(await navigator.clipboard.readText()).toBe(item.content_hash);
});

it.each<[HashState, boolean]>([
  ["corrupt", true],
  ["changed", true],
  ["altered", true],
  ["differs", true],
  ["racy", true],
  ["ok", false],
  ["moved", false],
])("a %s file has two repairs: %s", (state, has) => {
  open({ state });
  expect(screen.queryByTestId("hash-accept") !== null).toBe(has);
  expect(screen.queryByTestId("hash-restore") !== null).toBe(has);
});

it("a missing file can be restored, not accepted", () => {
  open({ state: "missing" });
  expect(screen.queryByTestId("hash-restore")).not.toBeNull();
  expect(screen.queryByTestId("hash-accept")).toBeNull();
});

it("does not change another program's record", async () => {
  open({}, "G1");
  await screen.findByTestId("hash-json");
  expect(screen.queryByTestId("hash-repair")).toBeNull();
});

it("is accepted after naming what is kept", async () => {
  open();
  await userEvent.click(screen.getByTestId("hash-accept"));
  expect(host.questions[0]?.message).toContain("The old hash is kept in the record’s history.");
  await waitFor(() => expect(onchanged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ state: "ok" })));
});

it("is not accepted when the question is declined", async () => {
  host.confirmAnswer = false;
  open();
  await host.press("c");
  expect(backend.hashes.accept).not.toHaveBeenCalled();
});

it("is restored, naming source and damaged file", async () => {
  open();
  await host.press("r");
  expect(host.toasts).toEqual(["Restored from /backup/a.jpg. The damaged file is now /photos/a.corrupt.jpg"]);
  expect(onchanged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ state: "ok" }));
});

it("without a good copy asks for a folder", async () => {
  backend.desktop = fakeDesktop({ pickFolder: vi.fn(() => Promise.resolve({ grant: "G7", name: "Backup" })) });
  backend.hashes.restore.mockRejectedValueOnce(new ApiError("no_good_copy", 404, ""));
  open();
  await userEvent.click(screen.getByTestId("hash-restore"));
  expect(await screen.findByText("No good copy was found. The file hasn’t been changed.")).toBeDefined();
  expect(onchanged).not.toHaveBeenCalled();
  await userEvent.click(screen.getByTestId("hash-restore-from"));
  await waitFor(() => expect(onchanged).toHaveBeenCalledTimes(1));
  expect(backend.hashes.restore).toHaveBeenLastCalledWith({ path: "/photos/a.jpg", path_bytes: null }, "G7", false);
});

it("is created after a question if missing", async () => {
  const missing = () => backend.hashes.restore.mockRejectedValueOnce(new ApiError("file_missing", 409, ""));
  host.confirmAnswer = false;
  missing();
  open({ state: "missing" });
  await host.press("r");
  expect(host.questions[0]?.message).toBe("There is no file at /photos/a.jpg. Restoring creates it.");
  expect(backend.hashes.restore).toHaveBeenCalledTimes(1);
  expect(onchanged).not.toHaveBeenCalled();
  host.confirmAnswer = true;
  missing();
  await host.press("r");
  expect(backend.hashes.restore).toHaveBeenLastCalledWith({ path: "/photos/a.jpg", path_bytes: null }, undefined, true);
  expect(onchanged).toHaveBeenCalledTimes(1);
});

it("in a browser offers and mentions no dialog", () => {
  open();
  expect(screen.queryByTestId("hash-restore-from")).toBeNull();
  expect(text("hash-restore-about")).toBe("Looks for a good copy among the recorded files and the wiki’s files. The damaged file is kept next to it under another name.");
});

it("of a missing file mentions no damaged one", () => {
  backend.desktop = fakeDesktop({});
  open({ state: "missing" });
  expect(text("hash-restore-about")).toBe("Looks for a good copy among the recorded files, the wiki’s files and, if you choose one, a backup folder.");
});

it("explain a file without a record, without requests", () => {
  open({ path: null, content_hash: null, state: "malformed", kind: "malformed", reason: "not JSON" });
  expect(text("hash-record-facts")).toContain("not JSON");
  expect(backend.hashes.detail).not.toHaveBeenCalled();
});

it("can be reloaded after a failure", async () => {
  backend.hashes.detail.mockRejectedValueOnce(new ApiError("storage_failed", 500, ""));
  open();
  await userEvent.click(await screen.findByTestId("hash-detail-retry"));
  await waitFor(() => expect(screen.queryByTestId("hash-detail-retry")).toBeNull());
});

it("of a wiki file lead to its page", async () => {
  open({ kind: "asset", state: "differs", page: { page_id: "01A", path: "/旅/京都" } }, "wiki");
  expect(screen.getByTestId("hash-page").getAttribute("href")).toBe("/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD");
  await host.press("p");
  expect(host.visited).toEqual(["/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD"]);
  expect(text("hash-facts-of")).toContain("The disk has damaged the file.");
  expect(screen.getAllByTestId("hash-fact").map((fact) => fact.dataset["fact"])).toEqual(["size", "recorded", "verified", "hash"]);
  expect(screen.queryByTestId("hash-restore")).toBeNull();
  expect(backend.hashes.detail).not.toHaveBeenCalled();
});

it("report that the file's page was deleted permanently", () => {
  open({ kind: "asset", state: "ok", page: { page_id: null, path: "/gone" } }, "wiki");
  expect(screen.queryByTestId("hash-page")).toBeNull();
  expect(text("hash-page-gone")).toContain("Its page /gone was permanently deleted.");
});

it.each([{ state: "missing" as const }, { path: "/photos/notes.txt" }])("shows no picture for %o", (more) => {
  open(more);
  expect(screen.queryByTestId("hash-picture")).toBeNull();
});

it("shows the picture of the file", async () => {
  backend.hashRecords.detailNow = { record: "{}", history: [], places: [{ root: "R1", path: "2026/a.jpg" }] };
  open();
  await waitFor(() => expect(screen.getByRole("img", { name: "a.jpg" }).getAttribute("src")).toContain("root=R1&path=2026/a.jpg"));
});

it("explains its name stepwise, against the longest name", async () => {
  backend.hashes.explain.mockResolvedValue({
    path: "/photos/a.jpg",
    name: "AbCdEfGhIjKl.json",
    kind: "fallback",
    encoded_bytes: 145,
    name_limit: 143,
    steps: [
      { step: "path", text: "/photos/a.jpg" },
      { step: "too_long", text: "~photos~a.jpg" },
    ],
  });
  open();
  expect(backend.hashes.explain).not.toHaveBeenCalled();
  await host.press("Mod+Alt+e");
  await screen.findAllByTestId("hash-step");
  expect(backend.hashes.explain.mock.calls[0]?.[0]).toEqual({ dir: "own", path: "/photos/a.jpg" });
  expect(screen.getAllByTestId("hash-step").map((step) => step.textContent.replace(/\s+/g, " ").trim())).toEqual(["The path /photos/a.jpg", "Too long for a file name ~photos~a.jpg"]);
  expect(text("hash-explained-bytes")).toBe("145 bytes; a name has at most 143");
  expect(document.activeElement).toBe(screen.getByTestId("hash-explain-field"));
});

it("says why another name can't be explained", async () => {
  open();
  await host.press("Mod+Alt+e");
  backend.hashes.explain.mockRejectedValue(new ApiError("malformed_name", 422, "", { nameFault: "escape" }));
  await userEvent.clear(screen.getByTestId("hash-explain-field"));
  await userEvent.type(screen.getByTestId("hash-explain-field"), "~a#{Enter}");
  expect(await screen.findByText("This isn’t a valid record name: each “#” is followed by “#” or “1”.")).toBeDefined();
  expect(screen.getByTestId("hash-explain-field").getAttribute("aria-invalid")).toBe("true");
});
