import { render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DesktopApi } from "../api/backend";
import { fakeDesktop } from "../testing/fake-backend";
import { FakeHistory } from "../testing/fake-history";
import { fail } from "../testing/server";
import { StubHost } from "../testing/stub-host";
import { HistoryView } from ".";

let fake: FakeHistory;
let host: StubHost;
/** The downloads of the browser: the name, the address, and its contents at the time. */
let downloads: { name: string; address: string; blob: Blob | undefined }[];
const blobs = new Map<string, Blob>();

beforeEach(() => {
  fake = new FakeHistory();
  host = new StubHost();
  downloads = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push({ name: this.download, address: this.href, blob: blobs.get(this.href) });
  });
  // jsdom has no addresses for data in memory.
  const createObjectURL = (blob: Blob) => {
    const address = `blob:http://localhost/${blobs.size}`;
    blobs.set(address, blob);
    return address;
  };
  Object.assign(URL, { createObjectURL, revokeObjectURL: (address: string) => blobs.delete(address) });
});

afterEach(() => {
  vi.restoreAllMocks();
  blobs.clear();
});

async function save(desktop: DesktopApi | null = null, path = "/travel/p"): Promise<void> {
  render(HistoryView, { path, asked: null, backend: { ...fake.backend, desktop }, host });
  await screen.findByTestId("diff");
  await host.act("save-history");
}

it("a browser downloads history named after the page", async () => {
  fake.latest = 1_001;
  await save();
  expect(downloads).toHaveLength(1);
  const [{ name, blob } = { name: "", blob: undefined }] = downloads;
  expect(name).toBe("p History.md");
  expect(blob?.type).toBe("text/markdown;charset=utf-8");
  const text = (await blob?.text()) ?? "";
  expect(text.startsWith("# History of /p\n\n- [Revision 1001]")).toBe(true);
  expect(text.match(/^- \[Revision /gm)).toHaveLength(1_001);
  // The browser does not report the outcome.
  expect(host.toasts).toEqual([]);
  await vi.waitFor(() => expect(blobs.size).toBe(0));
});

it("the file name has only valid characters", async () => {
  await save(null, '/a:b|"c"?');
  expect(downloads.map(({ name }) => name)).toEqual(["a_b__c__ History.md"]);
});

it("the window saves to the chosen file", async () => {
  const saveFile = vi.fn<DesktopApi["saveFile"]>(() => Promise.resolve({ name: "past.md" }));
  await save(fakeDesktop({ saveFile }));
  expect(saveFile).toHaveBeenCalledExactlyOnceWith({ text: { name: "p History.md", text: expect.stringContaining("Revision 3") as string } });
  expect(downloads).toEqual([]);
  expect(host.toasts).toHaveLength(1);
  expect(host.toasts[0]).toContain("past.md");
});

it("reports nothing after cancelling", async () => {
  await save(fakeDesktop());
  expect(host.toasts).toEqual([]);
});

it("a failure is reported, and nothing is saved", async () => {
  fake.on("GET /api/pages/{page_id}/history", () => fail("unreachable"));
  await save();
  expect(downloads).toEqual([]);
  expect(host.toasts).toHaveLength(1);
});
