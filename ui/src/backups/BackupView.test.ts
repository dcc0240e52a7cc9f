import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import { backupAddress, type BackupPlace, parseBackupAddress } from "../api/addresses/backup-address";
import type { BackupPageDetails, BackupPageItem } from "../api/backend";
import { ApiError } from "../api/errors";
import { FakeServer } from "../testing/fake-server";
import { StubHost } from "../testing/stub-host";
import BackupView from "./BackupView.svelte";

const NAME = "fumikura-2026-11-18T120000Z";
let server: FakeServer;
let host: StubHost;

const item = (page_id: string, path: string, present: BackupPageItem["present"], title?: string): BackupPageItem => ({
  page_id,
  path,
  saved_at: "2026-11-17T08:00:00Z",
  present,
  ...(title !== undefined && { title }),
});
const PAGES = [item("P1", "/garden", "changed", "Garden"), item("P2", "/travel", "same")];

const details = (more: Partial<BackupPageDetails> = {}): BackupPageDetails => ({
  ...item("P1", "/garden", "changed", "Garden"),
  present_path: "/garden",
  text: "# Garden\n\nmoss\n",
  hunks: [
    {
      old_start: 3,
      old_lines: 1,
      new_start: 3,
      new_lines: 1,
      lines: [
        { kind: "removed", old: 3, new: null, spans: [{ text: "stone", changed: true }], end: "lf" },
        { kind: "added", old: null, new: 3, spans: [{ text: "moss", changed: true }], end: "lf" },
      ],
    },
  ],
  added: 1,
  removed: 1,
  truncated: false,
  files: [
    { asset_id: "A1", file_name: "moss.jpg", size: 2048, is_present: false },
    { asset_id: "A2", file_name: "map.png", size: 10, is_present: true },
  ],
  ...more,
});

beforeEach(() => {
  server = new FakeServer();
  host = new StubHost();
  server.on("GET /api/backups/{name}/pages", ({ query: { q = "" } }) => ({ items: PAGES.filter(({ path }) => path.includes(q)), has_more: false }));
  server.on("GET /api/backups/{name}/pages/{page_id}", () => details());
  server.on("GET /api/backups/{name}/records", () => ({ items: [], total: 0 }));
});

function open(place: Partial<BackupPlace> = {}) {
  render(BackupView, { place: { name: NAME, filter: "", page: null, ...place }, backend: server.backend, host });
}

it("lists the pages with their present state", async () => {
  open();
  const rows = await screen.findAllByTestId("backup-page");
  expect(rows.map(({ dataset }) => [dataset["path"], dataset["state"]])).toEqual([["/garden", "changed"], ["/travel", "same"]]);
  expect(rows[0]?.textContent).toContain("Changed since");
  expect(rows[0]?.querySelector("a")?.getAttribute("href")).toBe(`/backups/${NAME}?page=P1`);
  expect(host.title).toMatch(/^Backup of Nov 18, 2026/u);
  expect(host.statusItems.map(({ text }) => text)).toEqual(["2 pages"]);
});

it("the filter is part of the address", async () => {
  open({ filter: "trav" });
  expect(await screen.findAllByTestId("backup-page")).toHaveLength(1);
  await fireEvent.input(screen.getByTestId("backup-filter"), { target: { value: "moss" } });
  await vi.waitFor(() => expect(host.visited).toEqual([`/backups/${NAME}?filter=moss`]));
  const place = { name: "a b", filter: "旅", page: "P1" };
  expect(parseBackupAddress(new URL(backupAddress(place), "http://x"))).toEqual(place);
  expect(parseBackupAddress(new URL("http://x/backups/"))).toBeNull();
});

it("brings missing hash records and sidecars back", async () => {
  server.on("GET /api/backups/{name}/records", () => ({ items: [], total: 4 }));
  server.on("POST /api/backups/{name}/records/restore", () => ({ restored: 2, same: 1, changed: ["/p/c.xmp"], unavailable: [] }));
  open();
  expect((await screen.findByTestId("backup-records")).textContent).toContain("4 hash records and XMP files");
  await fireEvent.click(screen.getByTestId("backup-records-back"));
  await vi.waitFor(() => expect(host.toasts).toEqual(["2 files are back. 1 has changed since and stays as it is."]));
});

it("brings a page back after its difference", async () => {
  open({ page: "P1" });
  const page = await screen.findByTestId("backup-page-details");
  expect(page.querySelector("ins")?.textContent).toContain("moss");
  expect(page.querySelector("del")?.textContent).toContain("stone");
  server.on("POST /api/backups/{name}/pages/{page_id}/restore", () => ({ page_id: "P1", path: "/garden", revision: 3, way: "revised" as const, files: ["moss.jpg"], damaged: [] }));
  server.on("GET /api/backups/{name}/pages/{page_id}", () => details({ present: "changed", hunks: [], files: [] }));
  await host.press("r");
  expect(server.sent("POST /api/backups/{name}/pages/{page_id}/restore")[0]?.path).toEqual({ name: NAME, page_id: "P1" });
  expect(host.toasts).toEqual(["Garden has its text of the backup again · with 1 file"]);
  expect(await screen.findByText("The text is the same as now.")).toBeTruthy();
});

it("names the path of another page", async () => {
  server.on("POST /api/backups/{name}/pages/{page_id}/restore", () => {
    throw new ApiError("path_taken", 409, "taken", { path: "/garden" });
  });
  server.on("GET /api/backups/{name}/pages/{page_id}", () => details({ present: "missing", present_path: null }));
  open({ page: "P1" });
  await fireEvent.click(await screen.findByTestId("backup-bring-back"));
  await vi.waitFor(() => expect(host.toasts[0]).toContain("another page is at /garden now"));
  expect(screen.queryByTestId("backup-file-back")).toBeNull();
});

it("brings one file back", async () => {
  server.on("POST /api/backups/{name}/files/{asset_id}/restore", () => ({ asset_id: "A9", file_name: "moss.jpg", replaced: "A3", changed: true }));
  open({ page: "P1" });
  const [missing, own] = await screen.findAllByTestId("backup-file");
  expect(own?.textContent).toContain("The page has this file");
  await fireEvent.click(within(missing as HTMLElement).getByTestId("backup-file-back"));
  await vi.waitFor(() => expect(host.toasts[0]).toMatch(/^moss\.jpg is back\. The page’s present file/u));
  expect(server.sent("POST /api/backups/{name}/files/{asset_id}/restore")[0]?.path).toEqual({ name: NAME, asset_id: "A1" });
});

it("goes back to the backup after a question", async () => {
  server.on("POST /api/backups/{name}/go-back", () => ({ id: "J1" }));
  open();
  host.confirmAnswer = false;
  await host.press("Shift+r");
  expect(host.questions[0]?.message).toContain("First the present data are backed up");
  expect(server.sent("POST /api/backups/{name}/go-back")).toEqual([]);
  host.confirmAnswer = true;
  await host.press("Shift+r");
  expect(server.sent("POST /api/backups/{name}/go-back")).toHaveLength(1);
  expect(host.visited).toEqual(["/settings#go_back"]);
});
