// Hash records in memory for the tests: requested by filters, and jobs whose ids count up.
import { address } from "../api/request";
import { vi } from "vitest";
import { ApiError, type ApiErrorCode } from "../api/errors";
import type { HashBadges, HashDetail, HashesApi, HashItem, HashPage, HashReport, HashReportEntry, HashSchedule, RemovedHash, RemovedHashPage } from "../api/hashes";

export class FakeHashes implements HashesApi {
  items: HashItem[] = [];
  folder: HashPage["folder"] = { id: "own", path: "/data/hashes", own: true, writable: true, name_limit: 250 };
  oldest: string | null = null;
  detailNow: Partial<HashDetail> = {};
  badgesNow: HashBadges = { states: {}, new: 0, recorded: 0 };
  reportNow: HashReport = { kind: "verify_hashes", dir: "own", path: null, original: null, dry_run: false, started_at: "2026-11-01T00:00:00Z", summary: { ok: 0 }, total: 0, findings: [], skipped: { links: 0, special: 0, left_out: 0, file_systems: [], lines: [], lines_total: 0 }, files_read: 0, bytes_read: 0, written: 0, replaced: 0, cancelled: false };
  scheduleNow: HashSchedule = { enabled: false, days: 30, gib_a_day: 20, oldest_verified_at: null, recorded: 0, wiki_files: 0, unsound: 0 };
  removedNow: RemovedHash[] = [];
  unusableNow: RemovedHashPage["unusable"] = [];
  /** While set, every call fails with it. */
  fault: ApiErrorCode | null = null;
  #jobs = 0;

  readonly list = vi.fn<HashesApi["list"]>(({ state, kind, q = "", offset = 0, limit = 100 } = {}) =>
    this.#answer(() => {
      const matching = this.items.filter((item) => (!state || item.state === state) && (!kind || item.kind === kind) && (item.path ?? "").includes(q));
      const states: Record<string, number> = {};
      for (const item of this.items) states[item.state ?? "unknown"] = (states[item.state ?? "unknown"] ?? 0) + 1;
      const items = matching.slice(offset, offset + limit);
      return { folder: this.folder, total: this.items.length, matching: matching.length, states, oldest_verified_at: this.oldest, items };
    }),
  );
  readonly explain = vi.fn<HashesApi["explain"]>(() => this.#answer(() => ({ path: "/a", name: "~a", kind: "encoded" as const, encoded_bytes: 2, name_limit: 250, steps: [] })));
  readonly detail = vi.fn<HashesApi["detail"]>(({ path }) =>
    this.#answer(() => {
      const item = this.items.find((one) => one.path === path);
      if (item === undefined) throw new ApiError("record_not_found", 404, "");
      return { ...item, record: "{}", history: [], places: [], ...this.detailNow };
    }),
  );
  readonly badges = vi.fn<HashesApi["badges"]>(() => this.#answer(() => this.badgesNow));
  readonly record = vi.fn<HashesApi["record"]>(() => this.#begin());
  readonly verify = vi.fn<HashesApi["verify"]>(() => this.#begin());
  readonly migrate = vi.fn<HashesApi["migrate"]>(() => this.#begin());
  readonly tidy = vi.fn<HashesApi["tidy"]>(() => this.#begin());
  reportsNow: HashReportEntry[] = [];
  readonly check = vi.fn<HashesApi["check"]>(() => this.#begin());
  readonly reports = vi.fn<HashesApi["reports"]>(() => this.#answer(() => this.reportsNow));
  readonly report = vi.fn<HashesApi["report"]>((_job, { state, offset = 0, limit = 100 } = {}) =>
    this.#answer(() => {
      const findings = this.reportNow.findings.filter((finding) => !state || finding.state === state);
      return { ...this.reportNow, total: findings.length, findings: findings.slice(offset, offset + limit) };
    }),
  );
  readonly accept = vi.fn<HashesApi["accept"]>(({ path }) =>
    this.#answer(() => {
      this.items = this.items.map((item) => (item.path === path ? { ...item, state: "ok" } : item));
      return this.items.find((item) => item.path === path) as HashItem;
    }),
  );
  readonly acceptMove = vi.fn<HashesApi["acceptMove"]>(() => this.#answer(() => 1));
  readonly restore = vi.fn<HashesApi["restore"]>(() => this.#answer(() => ({ restored_from: "/backup/a.jpg", kept_as: "/photos/a.corrupt.jpg" })));
  readonly removed = vi.fn<HashesApi["removed"]>(({ offset = 0, limit = 100 } = {}) =>
    this.#answer(() => ({ total: this.removedNow.length, items: this.removedNow.slice(offset, offset + limit), unusable: this.unusableNow })),
  );
  readonly reinstate = vi.fn<HashesApi["reinstate"]>((files) =>
    this.#answer(() => {
      const stays = this.removedNow.filter(({ path }) => files !== null && !files.some((file) => file.path === path));
      const reinstated = this.removedNow.length - stays.length;
      this.removedNow = stays;
      return { reinstated, refused: [] };
    }),
  );
  readonly import = vi.fn<HashesApi["import"]>(() => this.#answer(() => ({ format: "sha256sums", imported: 2, known: 1, conflicts: [], conflicts_total: 0, other_forms: [], other_forms_total: 0, skipped: [], skipped_total: 0 })));
  readonly exportText = vi.fn<HashesApi["exportText"]>(() => this.#answer(() => "text"));
  readonly exportUrl: HashesApi["exportUrl"] = (format, of) => address("/api/hashes/export", { format, ...of });
  readonly schedule = vi.fn<HashesApi["schedule"]>(() => this.#answer(() => this.scheduleNow));
  readonly setSchedule = vi.fn<HashesApi["setSchedule"]>((changes) => this.#answer(() => (this.scheduleNow = { ...this.scheduleNow, ...changes })));

  #begin(): Promise<string> {
    return this.#answer(() => `H${++this.#jobs}`);
  }

  async #answer<T>(value: () => T): Promise<T> {
    await Promise.resolve();
    if (this.fault) throw new ApiError(this.fault, 500, "");
    return value();
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
