// The outcomes of jobs in words.
import type { Job } from "../api/backend";
import type { Host } from "../api/host";
import { formatBytes } from "../i18n";
import { nameOf, type Outcome, reasonOf, type ShownJob } from "../jobs";

export function outcomeOf(job: ShownJob, host: Pick<Host, "t" | "describe">): Outcome {
  const { t } = host;
  if (job.state === "cancelled") return { tone: "plain", lines: [t("archive.cancelled")], details: [] };
  if (job.state === "failed") return { tone: "bad", lines: failure(job, host), details: [] };
  const result: Result = job.result ?? {};
  const missing = count(result, "missing");
  const lost = missing === 0 ? [] : [t("archive.missing", { count: missing })];
  const tone = lost.length > 0 ? "warn" : "good";
  if (job.kind === "export") {
    const pages = t("archive.pages_written", { count: count(result, "pages") });
    const files = t("archive.files_written", { count: count(result, "assets") });
    return { tone, lines: [pages, files, ...lost], details: [] };
  }
  if (job.kind === "check") return checked(result, t);
  if (job.kind === "backup") {
    const copied = t("archive.copied", { folder: text(result, "folder"), count: count(result, "assets") });
    const faults = Array.isArray(result.faults) ? result.faults.map(String) : [];
    if (faults.length > 0) {
      return { tone: "bad", lines: [copied, ...lost, t("archive.backup_faults", { count: faults.length })], details: faults };
    }
    return { tone, lines: [copied, ...lost], details: [] };
  }
  if (job.kind === "copy_backup") {
    const lines = [typeof result.folder === "string" ? t("archive.place_done", { folder: result.folder }) : t("archive.place_current")];
    return { tone: "good", lines, details: [] };
  }
  if (job.kind === "go_back") return { tone: "good", lines: [t("archive.go_back_ready")], details: [] };
  return result.restored === true ? restored(result, t, lost) : imported(result, t);
}

function failure(job: ShownJob, host: Pick<Host, "t" | "describe">): string[] {
  const { t } = host;
  const [what, reason] = [nameOf(job, host), reasonOf(job, host)];
  if (!job.error) return [t("jobs.failed", { what, reason })];
  const { path } = job.error;
  const words = path ? t("archive.failed_at", { what, reason, path }) : t("jobs.failed", { what, reason });
  return job.kind === "import" ? [words, ...faultOf(job.error, t), t("archive.nothing_changed")] : [words];
}

/** Describes a fault of an archive, and its place there. */
function faultOf({ fault, entry, limit }: NonNullable<Job["error"]>, t: Host["t"]): string[] {
  if (!fault) return [];
  const words =
    fault === "file_too_large" || fault === "too_much"
      ? t(`archive.fault_${fault}`, { limit: formatBytes(limit ?? 0) })
      : t(`archive.fault_${fault}`);
  return [entry ? t("archive.fault_at", { entry, fault: words }) : words];
}

/** Describes what a check has found, and what was repaired. */
function checked(result: Result, t: Host["t"]): Outcome {
  const faults = elements(result, "faults");
  const repaired = count(result, "repaired");
  const lines = [t("archive.checked", { count: count(result, "pages") })];
  if (repaired > 0) lines.push(t("archive.repaired", { count: repaired }));
  if (typeof result.copy === "string") lines.push(t("archive.copy_before", { folder: result.copy }));
  if (faults.length === 0) lines.push(t(repaired > 0 ? "archive.no_faults_left" : "archive.no_faults"));
  const details: string[] = [];
  for (const [word, some] of [
    ["archive.repairable", faults.filter(isRepairable)],
    ["archive.lasting", faults.filter((fault) => !isRepairable(fault))],
  ] as const) {
    if (some.length > 0) lines.push(t(word, { count: some.length }));
    details.push(...some.map((fault) => `${text(fault, "place")}: ${text(fault, "words")}`));
  }
  return { tone: faults.length > 0 ? "bad" : "good", lines, details };
}

const isRepairable = (fault: Result) => fault.repairable === true;

/** True if a check has found something that can be repaired. */
export function canRepair(job: ShownJob): boolean {
  return job.kind === "check" && job.state === "done" && elements(job.result ?? {}, "faults").some(isRepairable);
}

/** Describes what a full archive has restored. */
function restored(result: Result, t: Host["t"], lost: string[]): Outcome {
  const lines = [
    t("archive.restored", { count: count(result, "pages") }),
    t("archive.assets", { count: count(result, "assets") }),
    t("archive.restored_users", { count: count(result, "users") }),
  ];
  return { tone: lost.length > 0 ? "warn" : "good", lines: [...lines, ...lost], details: [] };
}

function imported(result: Result, t: Host["t"]): Outcome {
  const counted = (["created", "replaced", "unchanged", "skipped", "assets", "ignored"] as const).flatMap((name) => {
    const number = count(result, name);
    return number > 0 || name === "created" ? [t(`archive.${name}`, { count: number })] : [];
  });
  const details = elements(result, "warnings").map((warning) => {
    const word = (name: string) => text(warning, name);
    return t("archive.warning", { page: word("page"), link: word("link"), before: word("before"), after: word("after") });
  });
  const notes = details.length > 0 ? [t("archive.warnings", { count: details.length })] : [];
  const existing = elements(result, "existing").map((link) =>
    t("archive.existing_link", { page: text(link, "page"), path: text(link, "path") }),
  );
  if (existing.length > 0) notes.push(t("archive.existing", { count: existing.length }));
  details.push(...existing);
  return { tone: details.length > 0 ? "warn" : "good", lines: [...counted, ...notes], details };
}

/** The schema does not specify a job's result: each kind has its own (docs/API.md, "Jobs"). */
type Result = Record<string, unknown>;

function elements(result: Result, name: string): Result[] {
  const value = result[name];
  return Array.isArray(value) ? (value as Result[]) : [];
}

/** A number, or the length of a list. */
function count(result: Result, name: string): number {
  const value = result[name];
  if (Array.isArray(value)) return value.length;
  return typeof value === "number" ? value : 0;
}

function text(result: Result, name: string): string {
  const value = result[name];
  return typeof value === "string" ? value : "?";
}
