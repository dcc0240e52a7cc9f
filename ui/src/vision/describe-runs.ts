// Jobs over many pictures that were begun in this window: the messages at their ends, and the tags that they found.
import type { Backend, FilePlace, MarksChange } from "../api/backend";
import type { Host } from "../api/host";
import type { EncodedPath } from "../api/names";
import { encodePath } from "../api/names";
import type { ScanMode } from "../api/vision";
import { formatPercent, locale, sentences } from "../i18n";
import { nameOf, reasonOf, type ShownJob } from "../jobs";
import { resultOf } from "./outcome";

/** One job takes so many. */
export const MOST_PICTURES = 10_000;

export interface DescribeRun {
  root: string;
  paths: readonly EncodedPath[];
  mode: ScanMode;
}

/** Tags that a picture has got. */
interface Added {
  place: FilePlace;
  tags: string[];
}

export class DescribeRuns {
  readonly #runs = new Map<string, DescribeRun & { language: string }>();

  constructor(
    private readonly backend: Pick<Backend, "vision" | "files">,
    private readonly host: Pick<Host, "t" | "toast" | "describe">,
    /** Told of each job that was begun. */
    private readonly onbegin: (id: string) => Promise<void>,
  ) {}

  async begin(run: DescribeRun): Promise<void> {
    const language = locale();
    const id = await this.backend.vision.describe(run.root, run.paths, run.mode, language);
    this.#runs.set(id, { ...run, language });
    await this.onbegin(id);
  }

  /** Says what a job came to, and offers the tags that it found. */
  ended(job: ShownJob, look: () => void | Promise<void>): void {
    const run = this.#runs.get(job.id);
    this.#runs.delete(job.id);
    const { t } = this.host;
    if (job.state === "cancelled") return;
    if (job.state === "failed") {
      const words = t("jobs.failed", { what: nameOf(job, this.host), reason: reasonOf(job, this.host) });
      this.host.toast(words, { tone: "bad", duration: null, action: { label: t("jobs.look"), run: look } });
      return;
    }
    const { described, failed, failures } = resultOf(job);
    const words = sentences(t("vision.described", { count: described }), failed > 0 && t("vision.failed_count", { count: failed }));
    const tone = failed > 0 ? "warn" : "good";
    if (run?.mode !== "tags" || described === 0) {
      this.host.toast(words, { tone, action: { label: t("jobs.look"), run: look } });
      return;
    }
    const unnamed = new Set(failures.map(({ path }) => encodePath(path)));
    const paths = run.paths.filter((path) => !unnamed.has(path));
    const action = { label: t("vision.add_tags_many", { count: described }), run: () => this.#addTags({ ...run, paths }) };
    this.host.toast(words, { tone, duration: null, action });
  }

  /** The answers are stored: to ask for them again costs nothing. */
  async #addTags({ root, paths, language }: DescribeRun & { language: string }): Promise<void> {
    const { t } = this.host;
    const stop = new AbortController();
    const added: Added[] = [];
    let failed = 0;
    let closeToast = () => {};
    const say = (part: number) => {
      closeToast();
      const action = { label: t("files.stop"), run: () => stop.abort() };
      closeToast = this.host.toast(t("vision.adding_tags", { percent: formatPercent(part) }), { tone: "busy", duration: null, action });
    };
    for (const [at, path] of paths.entries()) {
      if (stop.signal.aborted) break;
      if (at % TOLD_EACH === 0) say(at / paths.length);
      try {
        added.push(...(await this.#addTo({ root, path }, language)));
      } catch {
        // How many they are is said at the end.
        failed += 1;
      }
    }
    closeToast();
    const words = sentences(t("vision.tagged", { count: added.length }), failed > 0 && t("vision.failed_count", { count: failed }));
    const undo = added.length > 0 && { undo: () => this.#takeBack(added) };
    this.host.toast(words, { tone: failed > 0 ? "warn" : "good", ...undo });
  }

  /** Nothing that the person has given a picture is removed, and what it has already is not added. */
  async #addTo(place: FilePlace, language: string): Promise<Added[]> {
    const { tags } = await this.backend.vision.scan(place, "tags", { language });
    const wanted = (tags ?? []).map(asTag).filter((tag) => tag !== "");
    if (wanted.length === 0) return [];
    const before = await this.#mark(place, { add: wanted });
    const news = wanted.filter((tag) => !before.includes(tag));
    return news.length > 0 ? [{ place, tags: news }] : [];
  }

  async #takeBack(added: readonly Added[]): Promise<void> {
    for (const { place, tags } of added) await this.#mark(place, { remove: tags });
    this.host.toast(this.host.t("vision.tags_removed", { count: added.length }), { tone: "good" });
  }

  /** The tags that the picture had. */
  async #mark(place: FilePlace, change: MarksChange): Promise<readonly string[]> {
    const { marked } = await this.backend.files.mark([place], change);
    const [one] = marked;
    if (one === undefined) throw new Error("the picture was not marked");
    return one.before.tags;
  }
}

/** How often the message is renewed. */
const TOLD_EACH = 10;

/** A keyword as a tag of one level: a slash would put it below another one. */
export function asTag(keyword: string): string {
  return keyword.replaceAll(/[/|]/gu, " ").trim();
}
