// The user's ratings, tags, turns, crops and dates: shown at once, sent one after the other, and reverted on failure.
import type { Backend, Crop, FilePlace, FilesMarked, FolderEntry, KnownTag, Marks, MarksChange } from "../../api/backend";
import { ApiError, hasCode } from "../../api/errors";
import type { Host } from "../../api/host";
import { encodeName, type EncodedPath, encodePathFields } from "../../api/names";
import { apiError } from "../../api/transport/request";
import { formatPercent, sentences, t } from "../../i18n";
import { LONG_MS, notifyEnd } from "../../jobs/long-work";
import { viewableFiles } from "../entries/companions";
import { type EntrySet, isSamePlace, nameInFolder, placeOfEntry } from "../entries/folder-place";
import { applyChange, inverseChange, restoringChange, withLatest, applyMarks, ratingOf, ratingStars, turnLabel } from "./marks";
import { partOf, WHOLE } from "../entries/crops";
import { displayName } from "../entries/display-name";

/** The maximum number of pictures in a request. */
export const ITEMS_AT_ONCE = 500;
/** The duration of the message about a change, in milliseconds. */
const MESSAGE_DURATION = 8_000;

/** Returns the current folder. */
export interface MarkContext {
  folder: () => FilePlace;
  /** Returns the entries that actions apply to. */
  targets: () => Promise<readonly FolderEntry[]>;
  /** True if the sidecars of all pictures were read. */
  isRead: () => boolean;
  /** True if everything below the folder is shown. */
  isRecursive: () => boolean;
  /** Delays the display of changes in the folder until the work has ended. */
  hold: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called with the new marks of pictures of a folder. */
  onmarked: (folder: FilePlace, marks: ReadonlyMap<EncodedPath, Marks>) => void;
  /** Called once a rating by key was applied to its pictures, before the server answers. */
  onrated: () => void;
}

/** A change that is being sent to the server. */
interface Pending {
  folder: FilePlace;
  names: ReadonlySet<EncodedPath>;
  change: MarksChange;
}

export class MarkEditor {
  /** The last change in words, for a while. */
  message = $state<string | null>(null);
  /** The entries whose marks are shown in a dialog. */
  dialog = $state.raw<EntrySet | null>(null);
  /** The entries whose dates are changed in a dialog. */
  dates = $state.raw<EntrySet | null>(null);
  #pending = $state.raw<readonly Pending[]>([]);
  /** The end of the last request: of two ratings of a picture the later one counts. */
  #turn: Promise<void> = Promise.resolve();
  #messageTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly backend: Pick<Backend, "files" | "desktop">,
    private readonly host: Host,
    private readonly context: MarkContext,
  ) {}

  /** Returns an entry with all pending changes applied. */
  readonly withPending = (entry: FolderEntry): FolderEntry => {
    if (this.#pending.length === 0) return entry;
    const [name, folder] = [encodeName(entry), this.context.folder()];
    const changes = this.#pending.filter((one) => one.names.has(name) && isSamePlace(one.folder, folder));
    return changes.reduce((shown, { change }) => applyChange(shown, change), entry);
  };

  /** Reads the known tags of a folder. */
  readonly readTags = (folder: FilePlace, signal: AbortSignal): Promise<KnownTag[]> => {
    return this.backend.files.tags(folder, { beneath: this.context.isRecursive(), signal });
  };

  readonly rate = async (rating: number): Promise<void> => {
    const chosen = await this.#targets();
    if (!chosen) return;
    const marked = this.mark(chosen, { rating });
    this.context.onrated();
    await marked;
  };

  /** Turns pictures as they are shown. */
  readonly turn = async (turn: number): Promise<void> => {
    const chosen = await this.#targets(({ video }) => !video);
    if (chosen) await this.mark(chosen, { turn });
  };

  /** Shows a part of the picture in the viewer. */
  readonly crop = async (crop: Crop): Promise<void> => {
    const chosen = await this.#targets(({ video }) => !video);
    if (chosen) await this.mark(chosen, { crop });
  };

  /** Shows all of pictures. */
  readonly removeCrop = async (): Promise<void> => {
    const chosen = await this.#targets(({ video }) => !video);
    if (!chosen) return;
    const cropped = chosen.entries.filter(({ crop }) => crop);
    if (cropped.length === 0) this.host.toast(t("crop.none"));
    else await this.mark({ ...chosen, entries: cropped }, { crop: WHOLE });
  };

  readonly openDialog = async (): Promise<void> => {
    this.dialog = await this.#targets();
  };

  readonly openDates = async (): Promise<void> => {
    this.dates = await this.#targets();
  };

  readonly close = (): void => {
    this.dialog = null;
    this.dates = null;
  };

  /** Marks pictures. Returns the marked ones with their new marks. */
  async mark({ folder, entries }: EntrySet, change: MarksChange): Promise<readonly FolderEntry[]> {
    // Marks that were not read may differ.
    const isKnown = this.context.isRead();
    const wanted = entries.map(this.withPending).filter((entry) => !isKnown || inverseChange(entry, change) !== null);
    if (wanted.length === 0) return [];
    /** The further files of pictures of several files whose sidecars were changed, with their previous marks. */
    const others: FolderEntry[] = [];
    const sent = this.#send(folder, wanted, change, others);
    const changed = sent.then((marked) => marked.filter((before) => inverseChange(before, change) !== null));
    // Offered before the answer arrives: an immediate undo means this change, not the one before it.
    const offered = wordsFor(wanted, change);
    const forget = this.host.undoable(offered, async () => this.#undo(folder, await changed, change, offered, others));
    const done = await changed;
    if (done.length > 0) this.#announce(wordsFor(done, change));
    else forget();
    return (await sent).map((before) => applyChange(before, change));
  }

  /** Updates the entries in the dialog with newer data. */
  update(current: Iterable<FolderEntry>): void {
    if (this.dates) this.dates = { ...this.dates, entries: withLatest(this.dates.entries, current) };
    if (this.dialog) this.dialog = { ...this.dialog, entries: withLatest(this.dialog.entries, current) };
  }

  dispose(): void {
    clearTimeout(this.#messageTimer);
    this.close();
  }

  /**
   * Returns the pictures to mark; null if there are none, or if the user went to another folder while they were read.
   */
  async #targets(isSuitable: (entry: FolderEntry) => boolean = () => true): Promise<EntrySet | null> {
    const folder = this.context.folder();
    const targets = await this.context.targets();
    const entries = targets.filter((entry) => entry.kind === "picture" && isSuitable(entry));
    if (targets.length > 0 && entries.length === 0) this.host.toast(t("marks.pictures_only"));
    return entries.length > 0 && isSamePlace(folder, this.context.folder()) ? { folder, entries } : null;
  }

  async #undo(folder: FilePlace, before: readonly FolderEntry[], change: MarksChange, what: string, others: readonly FolderEntry[]): Promise<void> {
    const groups = new Map<string, { back: MarksChange; entries: FolderEntry[] }>();
    for (const entry of before) {
      const back = inverseChange(entry, change);
      if (!back) continue;
      const group = groups.get(JSON.stringify(back)) ?? { back, entries: [] };
      group.entries.push(entry);
      groups.set(JSON.stringify(back), group);
    }
    const done = await Promise.all([...groups.values()].map(({ back, entries }) => this.#send(folder, entries, { ...back, discardEmpty: true })));
    // Their marks may have differed from those of their pictures.
    for (const other of others) await this.#send(folder, [other], { ...restoringChange(other, change), joined: false, discardEmpty: true });
    if (done.every((entries) => entries.length === 0)) return;
    this.#announce(t("marks.undone", { what }));
    this.host.redoable(what, async () => void (await this.mark({ folder, entries: before }, change)));
  }

  /** Returns the pictures that were marked, with their previous marks from the sidecars. */
  async #send(folder: FilePlace, entries: readonly FolderEntry[], change: MarksChange, others: FolderEntry[] = []): Promise<FolderEntry[]> {
    const pending: Pending = { folder, names: new Set(entries.map(encodeName)), change };
    this.#pending = [...this.#pending, pending];
    const sending = this.#turn.then(() => this.context.hold(() => this.#sendAll(pending, entries, others)));
    this.#turn = sending.then(() => {});
    return sending;
  }

  async #sendAll(pending: Pending, entries: readonly FolderEntry[], others: FolderEntry[]): Promise<FolderEntry[]> {
    const { folder, change } = pending;
    const marks = new Map<EncodedPath, Marks>();
    const before = new Map<EncodedPath, Marks>();
    const failed: FilesMarked["failed"] = [];
    const [begun, address] = [Date.now(), `${location.pathname}${location.search}`];
    const notify = (reason: unknown) => {
      if (Date.now() - begun >= LONG_MS) notifyEnd(this.backend.desktop, { what: t("jobs.mark_files"), address }, { reason, isTotal: marks.size === 0 && reason !== null });
    };
    let isStopped = false;
    try {
      for (let at = 0; at < entries.length; at += ITEMS_AT_ONCE) {
        if (entries.length > ITEMS_AT_ONCE) this.#announce(t("marks.working", { percent: formatPercent(at / entries.length) }));
        const part = entries.slice(at, at + ITEMS_AT_ONCE);
        const done = await this.backend.files.mark(part.map((entry) => placeOfEntry(folder, entry)), change);
        for (const one of done.marked) {
          const name = nameInFolder(folder, { root: one.root, path: encodePathFields(one.path, one.path_bytes) });
          marks.set(name, marksOf(one));
          before.set(name, marksOf(one.before));
        }
        failed.push(...done.failed);
        // The request was cancelled: the others stay unchanged.
        isStopped = done.skipped > 0;
        if (isStopped) break;
      }
      const [first] = failed;
      if (!isStopped) notify(first ? apiError(first.error, 0) : null);
    } catch (error) {
      notify(error);
      this.#reportError(error, entries);
    } finally {
      // Both at once, so that no intermediate state is displayed.
      this.#applyMarks(folder, marks);
      this.#pending = this.#pending.filter((one) => one !== pending);
    }
    this.#reportFailed(failed);
    const files = entries.flatMap((entry) => viewableFiles(entry).slice(1));
    others.push(...files.filter((file) => before.has(encodeName(file))).map((file) => applyMarks(file, before)));
    return entries.filter((entry) => before.has(encodeName(entry))).map((entry) => applyMarks(entry, before));
  }

  #applyMarks(folder: FilePlace, marks: ReadonlyMap<EncodedPath, Marks>): void {
    if (marks.size === 0) return;
    const open = this.dialog;
    if (open && isSamePlace(open.folder, folder)) this.dialog = { folder, entries: open.entries.map((entry) => applyMarks(entry, marks)) };
    this.context.onmarked(folder, marks);
  }

  #announce(words: string): void {
    this.message = words;
    clearTimeout(this.#messageTimer);
    this.#messageTimer = setTimeout(() => (this.message = null), MESSAGE_DURATION);
  }

  #reportFailed(failed: FilesMarked["failed"]): void {
    const [first] = failed;
    if (!first) return;
    const name = displayName(first.name);
    const why = this.host.describe(new ApiError(first.error.code, 0, first.error.message));
    const words = failed.length === 1 ? t("marks.failed_one", { name, why }) : t("marks.failed_some", { count: failed.length, name, why });
    this.host.toast(words, { tone: "bad", duration: null });
  }

  #reportError(error: unknown, entries: readonly FolderEntry[]): void {
    const [first] = entries;
    const why = this.host.describe(error);
    const isOfFile = first && entries.length === 1 && !hasCode(error, "unreachable", "shutting_down", "internal");
    const words = isOfFile ? t("marks.failed_one", { name: displayName(first.name), why }) : sentences(t("marks.failed"), why);
    this.host.toast(words, { tone: "bad" });
  }
}

function marksOf({ rating, tags, caption, orientation, crop, taken }: FilesMarked["marked"][number]["before"]): Marks {
  return { rating: rating ?? null, tags, caption: caption ?? null, orientation: orientation ?? null, crop: crop ?? null, taken: taken ?? null };
}

function wordsFor(before: readonly FolderEntry[], { rating, add = [], remove = [], caption, turn, crop, taken, shift }: MarksChange): string {
  const [first] = before;
  const [name, count] = [displayName(first?.name ?? ""), before.length];
  const isOne = first !== undefined && count === 1;
  if (turn !== undefined) {
    return t("marks.rated", { count, rating: turnLabel(turn) });
  }
  if (crop !== undefined) {
    if (partOf(crop) === null) return isOne ? t("crop.removed_one", { name }) : t("crop.removed", { count });
    return isOne ? t("crop.cropped_one", { name }) : t("crop.cropped", { count });
  }
  if (taken !== undefined || shift !== undefined) return isOne ? t("dates.changed_one", { name }) : t("dates.changed", { count });
  if (rating !== undefined) {
    if (!isOne) return t("marks.rated", { count, rating: ratingStars(rating) });
    return t("marks.rated_was", { name, rating: ratingStars(rating), before: ratingStars(ratingOf(first)).toLocaleLowerCase() });
  }
  if (caption !== undefined) return isOne ? t("marks.captioned_one", { name }) : t("marks.captioned", { count });
  const tag = [...add, ...remove].join(", ");
  if (add.length > 0) return isOne ? t("marks.tagged_one", { name, tag }) : t("marks.tagged", { count, tag });
  return isOne ? t("marks.untagged_one", { name, tag }) : t("marks.untagged", { count, tag });
}
