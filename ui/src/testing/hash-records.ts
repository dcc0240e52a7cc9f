// Hash records in memory: requested by filters, and jobs whose ids count up.
import type { HashBadges, HashDetail, HashItem, HashPage, HashReport, HashReportEntry, HashSchedule, RemovedHash, RemovedHashPage } from "../api/hashes";
import { fail, partOf, type Server } from "./server";

export class HashRecords {
  items: HashItem[] = [];
  folder: HashPage["folder"] = { id: "own", path: "/data/hashes", own: true, writable: true, name_limit: 250 };
  oldest: string | null = null;
  foldersNow: { path: string; states: Record<string, number> }[] = [];
  detailNow: Partial<HashDetail> = {};
  badgesNow: HashBadges = { states: {}, new: 0, recorded: 0 };
  reportsNow: HashReportEntry[] = [];
  reportNow: HashReport = { kind: "verify_hashes", dir: "own", path: null, original: null, dry_run: false, started_at: "2026-11-01T00:00:00Z", summary: { ok: 0 }, total: 0, findings: [], skipped: { links: 0, special: 0, left_out: 0, file_systems: [], lines: [], lines_total: 0 }, files_read: 0, bytes_read: 0, written: 0, replaced: 0, cancelled: false };
  scheduleNow: HashSchedule = { enabled: false, days: 30, gib_a_day: 20, oldest_verified_at: null, recorded: 0, wiki_files: 0, unsound: 0 };
  removedNow: RemovedHash[] = [];
  unusableNow: RemovedHashPage["unusable"] = [];
  #jobs = 0;

  constructor(server: Server) {
    server.on("GET /api/hashes", ({ query }) => this.#list(query));
    server.on("GET /api/hashes/name", () => ({ path: "/a", name: "~a", kind: "encoded" as const, encoded_bytes: 2, name_limit: 250, steps: [] }));
    server.on("GET /api/hashes/record", ({ query }) => {
      const item = this.items.find(({ path }) => path === query.path) ?? fail("record_not_found");
      return { ...item, record: "{}", format: "1", history: [], places: [], ...this.detailNow };
    });
    server.on("GET /api/hashes/folders", () => ({ items: this.foldersNow, truncated: false }));
    server.on("GET /api/hashes/badges", () => this.badgesNow);
    for (const job of ["record", "verify", "migrate", "tidy", "check"] as const) server.on(`POST /api/hashes/${job}`, () => ({ id: `H${++this.#jobs}` }));
    server.on("GET /api/hashes/reports", () => ({ reports: this.reportsNow }));
    server.on("GET /api/hashes/reports/{job}", ({ query }) => {
      const findings = this.reportNow.findings.filter(({ state }) => !query.state || state === query.state);
      return { ...this.reportNow, total: findings.length, findings: partOf(findings, query) };
    });
    server.on("POST /api/hashes/accept", ({ body }) => {
      this.items = this.items.map((item) => (item.path === body.path ? { ...item, state: "ok" } : item));
      return this.items.find(({ path }) => path === body.path) ?? fail("record_not_found");
    });
    server.on("POST /api/hashes/accept-move", () => ({ records: 1 }));
    server.on("POST /api/hashes/restore", () => ({ restored_from: "/backup/a.jpg", kept_as: "/photos/a.corrupt.jpg" }));
    server.on("GET /api/hashes/removed", ({ query }) => ({ total: this.removedNow.length, items: partOf(this.removedNow, query), unusable: this.unusableNow }));
    server.on("POST /api/hashes/reinstate", ({ body }) => {
      const stays = this.removedNow.filter(({ path }) => !body.all && !body.files?.some((file) => file.path === path));
      const reinstated = this.removedNow.length - stays.length;
      this.removedNow = stays;
      return { reinstated, refused: [] };
    });
    server.on("POST /api/hashes/import", () => ({ format: "sha256sums", imported: 2, known: 1, conflicts: [], conflicts_total: 0, other_forms: [], other_forms_total: 0, skipped: [], skipped_total: 0 }));
    server.on("GET /api/hashes/export", () => "text");
    server.on("GET /api/hashes/schedule", () => this.scheduleNow);
    server.on("PUT /api/hashes/schedule", ({ body }) => (this.scheduleNow = { ...this.scheduleNow, ...body }));
  }

  #list(query: { state?: string; kind?: string; q?: string; offset?: string; limit?: string }): HashPage {
    const { state, kind, q = "" } = query;
    const matching = this.items.filter((item) => (!state || item.state === state) && (!kind || item.kind === kind) && (item.path ?? "").includes(q));
    const states: Record<string, number> = {};
    for (const item of this.items) states[item.state ?? "unknown"] = (states[item.state ?? "unknown"] ?? 0) + 1;
    return { folder: this.folder, total: this.items.length, matching: matching.length, states, oldest_verified_at: this.oldest, items: partOf(matching, query) };
  }
}

/** A record of a file; the defaults are those of a verified picture. */
export function hashItem(path: string, changes: Partial<HashItem> = {}): HashItem {
  return {
    path,
    name: path.replaceAll("/", "~"),
    kind: "encoded",
    state: "ok",
    content_hash: `sha256:${"0".repeat(64)}`,
    size: 2_048,
    recorded_at: "2026-11-01T00:00:00Z",
    verified_at: "2026-11-20T00:00:00Z",
    lossy: false,
    newer: false,
    analysis: false,
    reason: null,
    ...changes,
  };
}
