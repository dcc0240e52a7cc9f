import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import RemovedSection from "./RemovedSection.svelte";

let backend: FakeBackend;
let host: StubHost;
const onreinstated = vi.fn<() => void>();

const removed = (path: string) => ({ path, content_hash: `sha256:${"0".repeat(64)}`, size: 2_048, recorded_at: null, removed_at: "2026-11-20T00:00:00Z" });

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  onreinstated.mockClear();
});

const open = () => render(RemovedSection, { api: backend.hashes, dir: "own", host, onreinstated });
const rows = () => screen.queryAllByTestId("hash-removed-record").map((row) => row.textContent.replace(/\s+/g, " ").trim());

it("lists the records and brings one back", async () => {
  backend.hashRecords.removedNow = [removed("/a.jpg"), removed("/b.jpg")];
  open();
  await waitFor(() => expect(rows()[0]).toMatch(/^\/a\.jpg Set aside .*2026.* · 2 KiB Bring back$/));
  await userEvent.click(screen.getAllByTestId("hash-reinstate")[1] as HTMLElement);
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(backend.hashes.reinstate.mock.lastCall?.[0]?.map(({ path }) => path)).toEqual(["/b.jpg"]);
  expect(host.toasts).toEqual(["Brought back 1 record."]);
  expect(onreinstated).toHaveBeenCalledTimes(1);
});

it("a key brings all back, reporting what stays", async () => {
  backend.hashRecords.removedNow = [removed("/a.jpg"), removed("/b.jpg")];
  backend.hashes.reinstate.mockResolvedValueOnce({ reinstated: 1, refused: [{ path: "/a.jpg", reason: "", reason_code: "has_record" }] });
  open();
  await waitFor(() => expect(rows()).toHaveLength(2));
  await host.press("Shift+b");
  expect(backend.hashes.reinstate).toHaveBeenCalledExactlyOnceWith(null, "own");
  await waitFor(() => expect(host.toasts).toEqual(["Brought back 1 record.", "1 record stays set aside: /a.jpg. The file has a record, which is kept."]));
});

it("explains an empty list, and names damaged records", async () => {
  const { unmount } = open();
  expect(await screen.findByTestId("hash-removed-none")).toBeDefined();
  unmount();
  backend.hashRecords.unusableNow = [{ path: "/data/hashes/.fumikura/removed/1/~a", reason: "", reason_code: "record_empty" }];
  open();
  expect((await screen.findByTestId("hash-removed-unusable")).textContent).toContain("The record is empty.");
});
