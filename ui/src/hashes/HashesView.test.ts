import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Job } from "../api/backend";
import type { HashFinding } from "../api/hashes";
import { type HashesPlace, NO_HASH_FILTER, parseHashesAddress } from "../api/addresses/hashes-address";
import { canonicalPath } from "../api/names";
import { JobWatch } from "../jobs";
import { FakeBackend, fakeDesktop } from "../testing/fake-backend";
import { hashItem } from "../testing/hash-records";
import { StubHost } from "../testing/stub-host";
import HashesView from "./HashesView.svelte";

let backend: FakeBackend;
let host: StubHost;

const job = (more: Partial<Job> = {}): Job => ({ id: "H1", kind: "verify_hashes", state: "running", done: 0, total: 0, started_at: "2026-11-01T00:00:00Z", ...more });
const finding = (path: string, more: Partial<HashFinding>): HashFinding => ({ path, state: "changed", expected: null, actual: null, size: null, mtime: null, to: null, files: null, reason: null, ...more });
const result = (summary: object, more: object = {}) => ({ dir: "own", dry_run: false, summary, findings: 1, written: 0, ...more }) as unknown as Job["result"];

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.hashRecords.items = [
    hashItem("/photos/a.jpg"),
    hashItem("/photos/b.jpg", { state: "corrupt" }),
    hashItem("/photos/c.jpg", { state: null, kind: "fallback", verified_at: null }),
  ];
  host = new StubHost();
});

function open(place: Partial<HashesPlace> = {}) {
  const watch = new JobWatch(backend);
  watch.listen();
  const roots = { items: backend.rootsNow, ensure: () => {} };
  const view = render(HashesView, { place: { part: "records", within: null, filter: NO_HASH_FILTER, job: null, ...place }, backend, watch, roots, host, now: new Date("2026-11-26T00:00:00Z") });
  // Rerenders for the address, as the frame does.
  vi.spyOn(host, "navigate").mockImplementation(async (url) => {
    host.visited.push(url);
    const address = parseHashesAddress(new URL(url, "http://x"));
    if (address !== null) await view.rerender({ place: address });
    return true;
  });
  return view;
}

const text = (id: string) => screen.getByTestId(id).textContent.replace(/\s+/g, " ").trim();
const paths = async () => (await screen.findAllByTestId("hash-record")).map((row) => row.dataset["path"]);

describe("the list", () => {
  it("shows folder, number of records and oldest verification", async () => {
    backend.hashRecords.items = backend.hashRecords.items.filter(({ state }) => state !== "corrupt");
    backend.hashRecords.oldest = "2026-11-14T00:00:00Z";
    open();
    await waitFor(() => expect(text("hash-facts")).toBe("Fumikura’s own records in /data/hashes 2 records Everything verified within 12 days"));
  });

  it("claims no verification with a bad record", async () => {
    backend.hashRecords.oldest = "2026-11-25T00:00:00Z";
    open();
    await waitFor(() => expect(text("hash-verified-within")).toBe("1 file not as recorded"));
  });

  it("reports files that were never verified", async () => {
    backend.hashRecords.items = [hashItem("/photos/a.jpg", { state: null, verified_at: null })];
    open();
    await waitFor(() => expect(text("hash-verified-within")).toBe("Some files have never been verified"));
  });

  it("describes each state in words, below headings", async () => {
    open();
    await paths();
    expect([...screen.getByTestId("hash-columns").children].map((head) => head.textContent)).toEqual(["Path", "State", "Recorded", "Verified"]);
    expect(await paths()).toEqual(["/photos/a.jpg", "/photos/b.jpg", "/photos/c.jpg"]);
    const states = screen.getAllByTestId("hash-state").map((badge) => badge.textContent.trim());
    expect(states).toEqual(["Verified", "Corrupt", "Not verified yet"]);
  });

  it("is filtered by state, and unfiltered", async () => {
    open();
    await paths();
    const [, corrupt] = screen.getAllByTestId("state-chip");
    expect(corrupt?.textContent.replace(/\s+/g, " ").trim()).toBe("Corrupt 1");
    await userEvent.click(corrupt as HTMLElement);
    await waitFor(async () => expect(await paths()).toEqual(["/photos/b.jpg"]));
    expect(corrupt?.getAttribute("aria-pressed")).toBe("true");
    expect(host.visited).toEqual(["/hashes?state=corrupt"]);
    expect(host.statusItems.map(({ text }) => text)).toEqual(["1 of 3 records"]);
    await userEvent.click(corrupt as HTMLElement);
    await waitFor(async () => expect(await paths()).toHaveLength(3));
  });

  it("is filtered by kind and partial path", async () => {
    open();
    await paths();
    await userEvent.selectOptions(screen.getByTestId("hash-kind"), "fallback");
    await waitFor(async () => expect(await paths()).toEqual(["/photos/c.jpg"]));
    await host.press("/");
    await userEvent.keyboard("nowhere{Enter}");
    await screen.findByTestId("hashes-none");
    expect(backend.hashes.list).toHaveBeenLastCalledWith(expect.objectContaining({ kind: "fallback", q: "nowhere" }), expect.anything());
  });

  it("searches once per typing pause", async () => {
    open();
    await paths();
    await userEvent.type(screen.getByTestId("hash-search"), "b.jpg");
    await waitFor(async () => expect(await paths()).toEqual(["/photos/b.jpg"]));
    expect(backend.hashes.list.mock.calls.flatMap(([query]) => query?.q ?? [])).toEqual(["b.jpg"]);
  });

  it("is navigated by arrows; Enter opens details", async () => {
    open();
    const rows = await screen.findAllByTestId("hash-record");
    rows[0]?.focus();
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    await waitFor(() => expect(document.activeElement).toBe(rows[2]));
    await userEvent.keyboard("{Home}");
    await waitFor(() => expect(document.activeElement).toBe(rows[0]));
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(host.panel?.label).toBe("Hash record"));
    expect(host.panelOpenings).toBe(1);
    await host.press("Escape");
    await waitFor(() => expect(host.panel).toBeNull());
  });

  it("shows the details of the focused row", async () => {
    open();
    const rows = await screen.findAllByTestId("hash-record");
    rows[0]?.focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(host.panel).toBeNull();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(host.panel).not.toBeNull());
    expect(rows[1]?.getAttribute("aria-current")).toBe("true");
    await userEvent.keyboard("{ArrowUp}");
    await waitFor(() => expect(rows[0]?.getAttribute("aria-current")).toBe("true"));
    expect(rows[1]?.getAttribute("aria-current")).toBe("false");
  });

  it("regains the focus when the details close", async () => {
    open();
    const rows = await screen.findAllByTestId("hash-record");
    await userEvent.click(rows[1] as HTMLElement);
    await waitFor(() => expect(host.panel).not.toBeNull());
    rows[1]?.blur();
    await host.press("Escape");
    await waitFor(() => expect(document.activeElement).toBe(rows[1]));
    expect(host.panel).toBeNull();
  });

  it("is entered and left by arrow keys", async () => {
    open();
    const rows = await screen.findAllByTestId("hash-record");
    await userEvent.keyboard("{ArrowDown}");
    await waitFor(() => expect(document.activeElement).toBe(rows[0]));
    await userEvent.keyboard("{ArrowUp}");
    expect(document.activeElement).toBe(screen.getByTestId("hash-search"));
  });

  it.each(["{Enter}", "{ArrowDown}"])("is reached by %s from the search field", async (key) => {
    open();
    await paths();
    await host.press("/");
    await userEvent.keyboard(`b.jpg${key}`);
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset["path"]).toBe("/photos/b.jpg"));
    expect(await paths()).toEqual(["/photos/b.jpg"]);
  });

  it("is unfiltered by Escape, then loses focus", async () => {
    open();
    await paths();
    await host.press("/");
    await userEvent.keyboard("b.jpg{Escape}");
    const field = screen.getByTestId<HTMLInputElement>("hash-search");
    expect([field.value, document.activeElement === field]).toEqual(["", true]);
    await waitFor(async () => expect(await paths()).toHaveLength(3));
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect((document.activeElement as HTMLElement).dataset["path"]).toBe("/photos/a.jpg"));
  });

  it("of one file opens its record", async () => {
    backend.hashRecords.items = [hashItem("/photos/b.jpg", { state: "corrupt" })];
    open({ within: { root: "R1", path: canonicalPath("b.jpg") } });
    await waitFor(() => expect(host.panel).not.toBeNull());
    expect(backend.hashes.list.mock.calls[0]?.[0]?.place).toEqual({ root: "R1", path: "b.jpg" });
    expect(screen.getByTestId("hash-unwithin").getAttribute("href")).toBe("/hashes");
  });

  it("filtered by a file's path opens its record", async () => {
    backend.hashRecords.items = [hashItem("/old/photos/b.jpg"), hashItem("/photos/b.jpg", { state: "corrupt" }), hashItem("/photos/b.jpg.xmp")];
    open({ filter: { ...NO_HASH_FILTER, q: "/photos/b.jpg" } });
    await waitFor(() => expect(host.panel).not.toBeNull());
    expect((await screen.findByTestId<HTMLInputElement>("hash-search")).value).toBe("/photos/b.jpg");
    expect(screen.getAllByTestId("hash-record").filter((row) => row.ariaCurrent === "true").map((row) => row.dataset["path"])).toEqual(["/photos/b.jpg"]);
  });

  it("without records explains them, and records a folder", async () => {
    backend.hashRecords.items = [];
    open();
    await userEvent.click(await screen.findByTestId("hashes-empty-record"));
    expect(await screen.findByTestId("record-dialog")).toBeDefined();
  });

  it("reports a failed load, and retries", async () => {
    backend.fault = "unsafe_folder";
    open();
    expect((await screen.findByTestId("error-state")).textContent).toContain("Others may write to this hash folder");
    backend.fault = null;
    await userEvent.click(screen.getByTestId("retry"));
    expect(await paths()).toHaveLength(3);
  });

  it("of another folder offers no tidying or importing", async () => {
    backend.desktop = fakeDesktop({ pickFolder: vi.fn(() => Promise.resolve({ grant: "G1", name: "hashes" })) });
    open();
    await paths();
    backend.hashRecords.folder = { id: "G1", path: "/usr/local/hashes", own: false, writable: false, name_limit: 250 };
    await host.act("hash-folder");
    expect(backend.desktop.pickFolder).toHaveBeenCalledExactlyOnceWith("hashes");
    await waitFor(() => expect(text("hash-facts")).toContain("Records in /usr/local/hashes Read-only"));
    const disabled = host.actions.filter((action) => action.disabled).map(({ id }) => id);
    expect(disabled).toEqual(["hash-import", "hash-tidy"]);
  });

  it("of the wiki's files offers no recording", async () => {
    open();
    await paths();
    backend.hashRecords.folder = { ...backend.hashRecords.folder, id: "wiki", path: "/data/asset", writable: false };
    backend.hashRecords.items = [hashItem("/trips/a.jpg", { kind: "asset", state: "differs", page: { page_id: "01A", path: "/trips" } })];
    await host.act("hash-wiki");
    await waitFor(() => expect(text("hash-facts")).toMatch(/^Files of the wiki 1 file/));
    expect(backend.hashes.list).toHaveBeenLastCalledWith(expect.objectContaining({ dir: "wiki" }), expect.anything());
    expect(await paths()).toEqual(["/trips/a.jpg"]);
    expect(screen.queryByTestId("hash-kind")).toBeNull();
    const enabled = host.actions.filter((action) => !action.disabled).map(({ id }) => id);
    expect(enabled).toEqual(["hash-own"]);
  });

  it("of a wiki without files explains itself", async () => {
    backend.hashRecords.items = [];
    open();
    await screen.findByTestId("hashes-empty");
    backend.hashRecords.folder = { ...backend.hashRecords.folder, id: "wiki", writable: false };
    await host.act("hash-wiki");
    expect(await screen.findByText(/Files that you add to pages are listed here/)).toBeDefined();
    expect(screen.queryByTestId("hashes-empty-record")).toBeNull();
  });

  it("of another folder shows none of our findings", async () => {
    backend.desktop = fakeDesktop({ pickFolder: vi.fn(() => Promise.resolve({ grant: "G1", name: "hashes" })) });
    open();
    await paths();
    backend.emitJob(job({ state: "done", result: result({ ok: 2, corrupt: 1 }) }));
    await screen.findByTestId("hash-outcome");
    await host.act("hash-folder");
    await waitFor(() => expect(screen.queryByTestId("hash-outcome")).toBeNull());
    await host.act("hash-own");
    expect((await screen.findByTestId("hash-outcome")).textContent).toContain("Corrupt: 1");
  });

  it("in a browser has only the own folder", async () => {
    open();
    await paths();
    expect(host.actions.map(({ id }) => id)).not.toContain("hash-folder");
  });
});

describe("a run", () => {
  it("starts in a dialog, continues in the report", async () => {
    backend.jobsNow = [job({ done: 30, total: 40 })];
    open();
    await paths();
    await host.act("hash-verify");
    await userEvent.click(await screen.findByTestId("verify-quick"));
    await userEvent.click(screen.getByTestId("verify-start"));
    await waitFor(() => expect(host.visited).toEqual(["/hashes?part=report"]));
    expect(backend.hashes.verify).toHaveBeenCalledExactlyOnceWith({ dir: "own", quick: true });
    expect(screen.queryByTestId("verify-dialog")).toBeNull();
    await waitFor(() => expect(text("job-verify_hashes")).toContain("75% done"));
    expect(host.statusItems).toEqual([]);
    expect(host.named("Shift+v")).toBe("Pause or resume: Hash verification");
    expect(host.actions.find(({ id }) => id === "hash-verify")?.disabled).toBe(true);
  });

  it("records the folder that is chosen", async () => {
    backend.jobsNow = [job({ kind: "record_hashes" })];
    open();
    await paths();
    await host.act("hash-record");
    await userEvent.click(await screen.findByTestId("record-other-file-systems"));
    await userEvent.click(screen.getByTestId("record-start"));
    await waitFor(() => expect(backend.hashes.record).toHaveBeenCalledExactlyOnceWith({ root: "R1", path: "" }, { dir: "own", full: false, other_file_systems: true }));
  });

  it("of recording starts by Enter on a folder", async () => {
    backend.jobsNow = [job({ kind: "record_hashes" })];
    open();
    await paths();
    await host.act("hash-record");
    (await screen.findByTestId("root-choice")).focus();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(backend.hashes.record).toHaveBeenCalledTimes(1));
  });

  it("with findings reports them, and reloads the list", async () => {
    open();
    await paths();
    const before = backend.hashes.list.mock.calls.length;
    backend.emitJob(job({ state: "done", result: result({ ok: 2, corrupt: 1 }) }));
    expect((await screen.findByTestId("hash-outcome")).textContent).toBe("Corrupt: 1 · 2 files verified");
    expect(screen.getByTestId("hash-show-report").getAttribute("href")).toBe("/hashes?part=report");
    expect(backend.hashes.list.mock.calls.length).toBe(before + 1);
  });
});

describe("the report", () => {
  async function openReport(findings: HashFinding[], more: Partial<Job> = {}) {
    backend.hashRecords.reportNow = { ...backend.hashRecords.reportNow, summary: { ok: 5, corrupt: 1 }, findings, total: findings.length, files_read: 6, bytes_read: 2_048 };
    backend.jobsNow = [job()];
    open({ part: "report" });
    await screen.findByTestId("job-verify_hashes");
    backend.emitJob(job({ state: "done", result: result({ ok: 5, corrupt: 1 }), ...more }));
  }

  const findings = () => screen.getAllByTestId("finding").map((row) => row.textContent.replace(/\s+/g, " ").trim());

  it("names moved files and disconnected disks", async () => {
    await openReport([
      finding("/photos/2025", { state: "moved", to: "/photos/old/2025", files: 1_000 }),
      finding("/media/usb", { state: "root_away", files: 40 }),
      finding("/photos/b.jpg", { state: "corrupt", size: 2_048 }),
    ]);
    await screen.findAllByTestId("finding");
    expect(text("hash-report-about")).toMatch(/^Verified all recorded files, .*2026/);
    expect(findings()).toEqual([
      "/photos/2025 → /photos/old/20251,000 files Moved Accept move",
      "/media/usbThis disk is not connected · 40 files Disk not connected",
      "/photos/b.jpg2 KiB Corrupt",
    ]);
    expect(text("hash-report-read")).toBe("6 files read (2 KiB)");
  });

  it("is filtered by state", async () => {
    await openReport([finding("/a", {}), finding("/b", { state: "corrupt" })]);
    await screen.findAllByTestId("finding");
    const chip = screen.getAllByTestId("state-chip").find((one) => one.dataset["state"] === "corrupt");
    await userEvent.click(chip as HTMLElement);
    await waitFor(() => expect(findings()).toEqual(["/b Corrupt"]));
    const ok = screen.getAllByTestId("state-chip").find((one) => one.dataset["state"] === "ok");
    await userEvent.click(ok as HTMLElement);
    await waitFor(() => expect(text("hash-report-clean")).toBe("5 files verified"));
  });

  it("of a quick check warns about unread files", async () => {
    backend.hashRecords.reportNow = { ...backend.hashRecords.reportNow, summary: { ok: 0, read: 0, unread: 2 } };
    backend.jobsNow = [job({ state: "done", result: result({ ok: 0, read: 0, unread: 2 }) })];
    open({ part: "report" });
    await waitFor(() => expect(text("hash-report-clean")).toBe("No changes found. Files that weren’t read may still be damaged."));
    expect(text("hash-report-read")).toContain("2 files are unchanged by size and date, and were not read.");
  });

  it("names what was left out", async () => {
    backend.hashRecords.reportNow = { ...backend.hashRecords.reportNow, skipped: { links: 1, special: 0, left_out: 2, file_systems: ["/photos/nas"], lines: [], lines_total: 0 } };
    await openReport([finding("/a", {})]);
    await screen.findAllByTestId("finding");
    const skipped = within(screen.getByTestId("hash-report-skipped")).getAllByRole("listitem");
    expect(skipped.map((row) => row.textContent)).toEqual(["1 symbolic link", "2 recorded files left out by a pattern", "/photos/nas: on another file system"]);
  });

  it("is exported in the formats of a report", async () => {
    await openReport([finding("/a", {})]);
    await userEvent.click(await screen.findByTestId("hash-report-export"));
    const dialog = await screen.findByTestId("hash-export-dialog");
    expect(within(dialog).getAllByRole("radio").map((radio) => (radio as HTMLInputElement).value)).toEqual(["text", "csv", "json"]);
  });

  it("leads from findings to record, repairs, and back", async () => {
    await openReport([finding("/photos/b.jpg", { state: "corrupt" }), finding("/photos/a.jpg", {})]);
    const rows = await screen.findAllByTestId("finding-open");
    await userEvent.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(rows[0]);
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(backend.hashes.detail).toHaveBeenLastCalledWith({ path: "/photos/b.jpg", path_bytes: null }, "own", expect.anything()));
    await waitFor(() => expect(host.panel?.label).toBe("Hash record"));
    expect(rows[0]?.getAttribute("aria-current")).toBe("true");
    await userEvent.keyboard("{ArrowDown}");
    await waitFor(() => expect(rows[1]?.getAttribute("aria-current")).toBe("true"));
    expect(backend.hashes.detail.mock.lastCall?.[0].path).toBe("/photos/a.jpg");
    rows[1]?.blur();
    await host.press("Escape");
    await waitFor(() => expect(document.activeElement).toBe(rows[1]));
    expect(host.panel).toBeNull();
  });

  it("leads from entries without record to the list", async () => {
    await openReport([finding("/photos/2025", { state: "moved", to: "/photos/old", files: 20 }), finding("x", { state: "malformed" }), finding("/n", { state: "new" })]);
    const links = await screen.findAllByTestId("finding-records");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/hashes?q=%2Fphotos%2F2025", "/hashes?state=malformed"]);
    expect(screen.queryByTestId("finding-open")).toBeNull();
  });

  it("of a preview is separate, and applicable", async () => {
    backend.jobsNow = [job({ id: "H0", state: "done", result: result({ ok: 2, corrupt: 1 }) })];
    open({ part: "report" });
    await waitFor(() => expect(text("hash-report-read")).toContain("0 files read"));
    const verified = backend.hashRecords.reportNow;
    backend.hashRecords.reportNow = { ...verified, kind: "tidy_hashes", dry_run: true, summary: { orphan: 1 }, findings: [finding("/gone", { state: "orphan" })], total: 1 };
    backend.jobsNow = [job({ kind: "tidy_hashes", state: "done", result: result({}, { dry_run: true }) }), ...backend.jobsNow];
    await host.act("hash-tidy");
    await waitFor(() => expect(text("hash-report-read")).toContain("This is a preview. Nothing has been changed."));
    expect(host.visited).toEqual(["/hashes?part=report&job=H1"]);
    await userEvent.click(screen.getByTestId("hash-apply"));
    expect(host.questions.map(({ title }) => title)).toEqual(["Tidy up the records?"]);
    await waitFor(() => expect(backend.hashes.tidy).toHaveBeenLastCalledWith(false, "own"));
    backend.hashRecords.reportNow = verified;
    await host.navigate("/hashes?part=report");
    await waitFor(() => expect(backend.hashes.report.mock.lastCall?.[0]).toBe("H0"));
    expect(text("job-verify_hashes")).toContain("Corrupt: 1");
  });
});

describe("reports", () => {
  const entry = (job: string, more: object = {}) => ({ job, kind: "verify_hashes" as const, dir: "own", path: null, original: null, dry_run: false, started_at: "2026-11-01T00:00:00Z", summary: { ok: 1 }, cancelled: false, ...more });

  it("name their scope; earlier ones can be chosen", async () => {
    backend.hashRecords.reportsNow = [entry("H2", { kind: "record_hashes", path: "/photos/new" }), entry("H1")];
    backend.hashRecords.reportNow = { ...backend.hashRecords.reportNow, path: "/photos/new" };
    backend.jobsNow = [job({ id: "H2", kind: "record_hashes", state: "done", started_at: "2026-11-02T00:00:00Z" }), job({ state: "done" })];
    open({ part: "report" });
    await waitFor(() => expect(text("hash-report-clean")).toBe("No problems in this folder"));
    const choice = screen.getByTestId<HTMLSelectElement>("hash-reports");
    expect([choice.value, choice.options.length]).toEqual(["H2", 2]);
    expect(choice.options[0]?.text).toMatch(/^Recorded “new”, /);
    await userEvent.selectOptions(choice, "H1");
    expect(host.visited).toEqual(["/hashes?part=report&job=H1"]);
    await waitFor(() => expect(backend.hashes.report.mock.lastCall?.[0]).toBe("H1"));
  });

  it("accept a move in one step", async () => {
    backend.hashRecords.reportNow = { ...backend.hashRecords.reportNow, summary: { ok: 0, moved: 1 }, findings: [finding("/old/a", { state: "moved", to: "/new/a" })], total: 1 };
    backend.jobsNow = [job({ state: "done" })];
    open({ part: "report" });
    await userEvent.click(await screen.findByTestId("finding-accept-move"));
    expect(backend.hashes.acceptMove).toHaveBeenCalledExactlyOnceWith({ path: "/old/a", path_bytes: null }, { path: "/new/a", path_bytes: null });
    await waitFor(() => expect(host.toasts).toEqual(["1 record has its new path"]));
    expect(screen.queryByTestId("finding-accept-move")).toBeNull();
  });

  it("of a list or copy link no records", async () => {
    backend.hashRecords.reportNow = { ...backend.hashRecords.reportNow, kind: "check_hashes", path: "/photos", summary: { ok: 0, differs: 1 }, findings: [finding("/photos/a", { state: "differs" })], total: 1 };
    backend.jobsNow = [job({ kind: "check_hashes", state: "done" })];
    open({ part: "report", job: "H1" });
    await screen.findByTestId("finding");
    expect([screen.queryByTestId("finding-open"), screen.queryByTestId("finding-records")]).toEqual([null, null]);
  });
});

describe("other sections", () => {
  it("set the schedule", async () => {
    backend.hashRecords.scheduleNow = { ...backend.hashRecords.scheduleNow, oldest_verified_at: "2026-11-25T00:00:00Z", wiki_files: 1, unsound: 1 };
    open({ part: "schedule" });
    expect((await screen.findByTestId("schedule-status")).textContent).toBe("1 file not as recorded");
    await userEvent.click(await screen.findByTestId("schedule-enabled"));
    expect(backend.hashes.setSchedule).toHaveBeenLastCalledWith({ enabled: true, days: 30, gib_a_day: 20 });
    const days = screen.getByTestId<HTMLInputElement>("schedule-days");
    await userEvent.clear(days);
    await userEvent.type(days, "14");
    await userEvent.tab();
    await waitFor(() => expect(backend.hashes.setSchedule).toHaveBeenLastCalledWith({ enabled: true, days: 14, gib_a_day: 20 }));
  });

  it("refuse schedules out of range", async () => {
    open({ part: "schedule" });
    const days = await screen.findByTestId<HTMLInputElement>("schedule-days");
    await userEvent.clear(days);
    await userEvent.type(days, "7");
    await userEvent.tab();
    await waitFor(() => expect(host.open.map(({ message }) => message)).toEqual(["Saved"]));
    await userEvent.clear(days);
    await userEvent.type(days, "0");
    await userEvent.tab();
    expect(screen.getByRole("alert").textContent).toBe("Enter a whole number from 1 to 3,650.");
    expect([days.getAttribute("aria-invalid"), host.open]).toEqual(["true", []]);
    expect(backend.hashes.setSchedule).toHaveBeenCalledTimes(1);
    await userEvent.clear(days);
    await userEvent.type(days, "9");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("lists of other programs", () => {
  it("are imported, and report skipped entries", async () => {
    backend.hashes.import.mockResolvedValue({ format: "sha256sums", imported: 2, known: 1, conflicts: [{ path: "/photos/a.jpg", expected: "x", actual: "y" }], conflicts_total: 1, other_forms: [{ line: 2, path: "/photos/が.jpg" }], other_forms_total: 1, skipped: [{ line: 4, reason: "no hash", reason_code: "other" }], skipped_total: 2001 });
    open();
    await paths();
    await host.act("hash-import");
    const list = new File(["x"], "SHA256SUMS");
    await userEvent.upload(await screen.findByTestId("hash-import-file"), list);
    await userEvent.click(screen.getByTestId("hash-import-start"));
    await screen.findByTestId("hash-import-done");
    expect(text("hash-import-done")).toBe("Imported 2 records. 1 record was already there. 1 record differs from the list and was kept: /photos/a.jpg 1 name is written in another Unicode form in the list: /photos/が.jpg 2,001 lines couldn’t be used: Line 4: no hash and 2,000 more");
    const imports = backend.hashes.import.mock.calls.map(([folder, file]) => ({ folder, isSame: file === list }));
    expect(imports).toEqual([{ folder: { root: "R1", path: "" }, isSame: true }]);
  });

  it("are checked, and lead to their report", async () => {
    backend.jobsNow = [job({ kind: "check_hashes" })];
    open();
    await paths();
    await host.act("hash-check");
    const list = new File(["x"], "MD5SUMS");
    await userEvent.upload(await screen.findByTestId("hash-check-file"), list);
    await userEvent.click(screen.getByTestId("hash-check-start"));
    await waitFor(() => expect(host.visited).toEqual(["/hashes?part=report&job=H1"]));
    expect(backend.hashes.check.mock.calls.map(([folder, file]) => [folder, file === list])).toEqual([[{ root: "R1", path: "" }, true]]);
  });

  it("are not needed to verify a copy", async () => {
    backend.jobsNow = [job()];
    open();
    await paths();
    await host.act("hash-verify-copy");
    await userEvent.type(await screen.findByTestId("verify-copy-original"), "/photos");
    await userEvent.click(screen.getByTestId("verify-copy-start"));
    await waitFor(() => expect(backend.hashes.verify).toHaveBeenCalledExactlyOnceWith({ dir: "own", place: { root: "R1", path: "" }, original: "/photos" }));
  });

  it("are saved where the window's dialog chose", async () => {
    backend.desktop = fakeDesktop({ saveFile: vi.fn(() => Promise.resolve({ name: "SHA256SUMS" })) });
    open();
    await paths();
    await host.act("hash-export");
    await userEvent.selectOptions(await screen.findByTestId("hash-export-root"), "R1");
    await userEvent.click(screen.getByTestId("hash-export-start"));
    await waitFor(() => expect(host.toasts).toEqual(["Exported as SHA256SUMS"]));
    expect(backend.hashes.exportText).toHaveBeenCalledExactlyOnceWith("sha256sums", { dir: "own", root: "R1" });
    expect(backend.desktop.saveFile).toHaveBeenCalledExactlyOnceWith({ text: { name: "SHA256SUMS", text: "text" } });
  });
});
