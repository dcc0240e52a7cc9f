// Jobs over many pictures that this window started: the messages at their ends, and the tags and captions that they
// found.
import type { Backend, FilePlace, Marks, MarksChange } from "../api/backend";
import type { Host } from "../api/host";
import type { EncodedPath } from "../api/names";
import { encodePath } from "../api/names";
import type { ScanMode, ScanResult } from "../api/vision";
import { formatPercent, locale, sentences } from "../i18n";
import { nameOf, type ShownJob } from "../jobs";
import { reasonText, resultOf } from "./outcome";

/** The maximum number of pictures in one job. */
export const MAX_PICTURES = 10_000;

export interface DescribeRun {
  root: string;
  paths: readonly EncodedPath[];
  mode: ScanMode;
  /** The number of chosen pictures that are left out. */
  omitted?: number;
}

interface StartedRun extends DescribeRun {
  language: string;
  /** Removes the message about the start. */
  closeToast: () => void;
}

/** A picture whose marks were written, and the change that reverts them. */
interface WrittenMarks {
  place: FilePlace;
  revert: MarksChange;
}

export class DescribeRuns {
  readonly #runs = new Map<string, StartedRun>();

  constructor(
    private readonly backend: Pick<Backend, "vision" | "files">,
    private readonly host: Pick<Host, "t" | "toast" | "describe">,
    /** Receives the id of each job that was started. */
    private readonly onbegin: (id: string) => Promise<void>,
  ) {}

  async begin(run: DescribeRun): Promise<void> {
    const language = locale();
    const { omitted = 0 } = run;
    const id = await this.backend.vision.describe(run.root, run.paths, run.mode, language);
    const { t } = this.host;
    const words = sentences(t("vision.started"), omitted > 0 && t("vision.left_out", { count: omitted }));
    const closeToast = this.host.toast(words, { tone: omitted > 0 ? "warn" : "plain" });
    this.#runs.set(id, { ...run, language, closeToast });
    await this.onbegin(id);
  }

  /** Reports the result of a job, and offers to save the tags or captions that it found. */
  ended(job: ShownJob, look: () => void | Promise<void>): void {
    const run = this.#runs.get(job.id);
    this.#runs.delete(job.id);
    run?.closeToast();
    const { t } = this.host;
    if (job.state === "cancelled") return;
    if (job.state === "failed") {
      const words = t("jobs.failed", { what: nameOf(job, this.host), reason: reasonText(job, this.host) });
      this.host.toast(words, { tone: "bad", duration: null, action: { label: t("jobs.look"), run: look } });
      return;
    }
    const { described, failed, failures } = resultOf(job);
    const words = sentences(t("vision.described", { count: described }), failed > 0 && t("vision.failed_count", { count: failed }));
    const tone = failed > 0 ? "warn" : "good";
    const write = run && WRITES[run.mode];
    if (!write || described === 0) {
      this.host.toast(words, { tone, action: { label: t("jobs.look"), run: look } });
      return;
    }
    const unnamed = new Set(failures.map(({ path }) => encodePath(path)));
    const paths = run.paths.filter((path) => !unnamed.has(path));
    const action = { label: t(write.offer, { count: described }), run: () => this.#write({ ...run, paths }, write) };
    this.host.toast(words, { tone, duration: null, action });
  }

  /** Writes the answers into the sidecars. The answers are stored, so asking for them again costs nothing. */
  async #write({ root, paths, mode, language }: Omit<StartedRun, "closeToast">, write: Write): Promise<void> {
    const { t } = this.host;
    const stop = new AbortController();
    const written: WrittenMarks[] = [];
    let [failed, unchanged] = [0, 0];
    let closeToast = () => {};
    const report = (part: number) => {
      closeToast();
      const action = { label: t("files.stop"), run: () => stop.abort() };
      closeToast = this.host.toast(t(write.working, { percent: formatPercent(part) }), { tone: "busy", duration: null, action });
    };
    for (const [at, path] of paths.entries()) {
      if (stop.signal.aborted) break;
      if (at % REPORT_INTERVAL === 0) report(at / paths.length);
      const place = { root, path };
      try {
        const change = write.change(await this.backend.vision.scan(place, mode, { language }));
        const before = change && (await this.#mark(place, change));
        const revert = before && write.revert(change, before);
        if (revert) written.push({ place, revert });
        else if (before && write.keeps(before)) unchanged += 1;
      } catch {
        // The final message states the number of failures.
        failed += 1;
      }
    }
    closeToast();
    const words = sentences(
      t(write.done, { count: written.length }),
      unchanged > 0 && t("vision.captions_kept", { count: unchanged }),
      failed > 0 && t("vision.failed_count", { count: failed }),
    );
    const undo = written.length > 0 && { undo: () => this.#revertAll(written, write) };
    this.host.toast(words, { tone: failed > 0 ? "warn" : "good", ...undo });
  }

  async #revertAll(written: readonly WrittenMarks[], write: Write): Promise<void> {
    for (const { place, revert } of written) await this.#mark(place, revert);
    this.host.toast(this.host.t(write.undone, { count: written.length }), { tone: "good" });
  }

  /** Marks a picture. Returns the marks that it had before. */
  async #mark(place: FilePlace, change: MarksChange): Promise<Marks> {
    const { marked } = await this.backend.files.mark([place], change);
    const [one] = marked;
    if (one === undefined) throw new Error("the picture was not marked");
    return one.before;
  }
}

/**
 * The way in which answers of a mode are written into the sidecars. Data that the user has given a picture is never
 * removed or replaced.
 */
interface Write {
  /** Returns null if there is nothing to write. */
  change: (answer: ScanResult) => MarksChange | null;
  /** Returns the change that reverts the write; null if the write changed nothing. */
  revert: (change: MarksChange, before: Marks) => MarksChange | null;
  /** True if a picture keeps its own data instead of the answer. */
  keeps: (before: Marks) => boolean;
  offer: "vision.add_tags_many" | "vision.save_captions";
  working: "vision.adding_tags" | "vision.saving_captions";
  done: "vision.tagged" | "vision.captioned";
  undone: "vision.tags_removed" | "vision.captions_removed";
}

const WRITES: Partial<Record<ScanMode, Write>> = {
  tags: {
    change({ tags }) {
      const add = (tags ?? []).map(asTag).filter((tag) => tag !== "");
      return add.length > 0 ? { add } : null;
    },
    revert({ add = [] }, before) {
      const remove = add.filter((tag) => !before.tags.includes(tag));
      return remove.length > 0 ? { remove } : null;
    },
    keeps: () => false,
    offer: "vision.add_tags_many",
    working: "vision.adding_tags",
    done: "vision.tagged",
    undone: "vision.tags_removed",
  },
  describe: {
    change: ({ description }) => (description ? { caption: description, keepsCaption: true } : null),
    revert: (_, before) => (before.caption ? null : { caption: "" }),
    keeps: ({ caption }) => Boolean(caption),
    offer: "vision.save_captions",
    working: "vision.saving_captions",
    done: "vision.captioned",
    undone: "vision.captions_removed",
  },
};

/** The number of pictures between two updates of the message. */
const REPORT_INTERVAL = 10;

/** Converts a keyword to a tag of one level: a slash would nest it below another tag. */
export function asTag(keyword: string): string {
  return keyword.replaceAll(/[/|]/gu, " ").trim();
}
