// The file operations of a folder: the open dialog, the message afterwards, and undo.
import { picturesAddress } from "../../api/addresses/pictures-address";
import type { Backend, ExistingFile, FileConflict, FileOperation, FilePlace, FilesDone, FolderEntry, GrantedFile } from "../../api/backend";
import { type ErrorDetails, hasCode } from "../../api/errors";
import type { EventMap } from "../../api/events/events";
import type { Host } from "../../api/host";
import { resolvePath, encodeName, encodePathFields, type EncodedPath, parentPath, readableSegment, ROOT_PATH } from "../../api/names";
import { apiError } from "../../api/transport/request";
import type { TransferredPicture } from "../../editing/files/picture-transfer";
import { formatNumber, t } from "../../i18n";
import { LONG_MS, notifyEnd } from "../../jobs/long-work";
import { galleryFence } from "../../markdown/fences/gallery-options";
import { picturesOf } from "../insert/insert-pictures";
import { byFolder, type Renamed } from "./rename-pattern";
import { displayName } from "../entries/display-name";
import { MAX_PRINTED, PRINT_DEFAULTS, type PrintOptions } from "../print/print-options";
import { DEFAULTS, type ExportOptions } from "../export/export-options";
import { SHEET_DEFAULTS, type SheetOptions } from "../export/sheet-options";
import { type EntrySet, folderId, isSamePlace, type NamedFolder, placeOfEntry } from "../entries/folder-place";

export type Transfer = "move" | "copy";
/** The operation that a failure message names. */
type OperationName = Transfer | "rename" | "bin" | "export" | "sheet" | "rotate" | Reversal;
/** An undo, or the undo of an undo. */
type Reversal = "undo" | "redo";

export type OpenDialog =
  | { kind: "rename"; chosen: EntrySet }
  | { kind: "target"; how: Transfer; chosen: EntrySet }
  | { kind: "conflict"; from: FilePlace; to: NamedFolder; names: readonly string[]; count: number; identical: number | null; conflicts: readonly EntryConflict[]; onanswer: (existing: Choice) => void }
  | { kind: "export"; chosen: EntrySet; options: ExportOptions; to: NamedFolder | null }
  | { kind: "sheet"; chosen: EntrySet; options: SheetOptions; to: NamedFolder | null }
  | { kind: "print"; chosen: EntrySet; options: PrintOptions }
  | { kind: "rotate"; chosen: EntrySet; entry: FolderEntry }
  | { kind: "page"; pictures: readonly TransferredPicture[] }
  | { kind: "new-folder"; parent: NamedFolder }
  | { kind: "recent" };

type ConflictQuestion = Extract<OpenDialog, { kind: "conflict" }>;

/** An entry whose name is taken in the destination folder. */
export interface EntryConflict extends Omit<FileConflict, "item"> {
  entry: FolderEntry;
}

/** What is done with an entry whose name is taken. */
export type Decision = Exclude<ExistingFile, "refuse">;
/** The same for all entries, or a decision for each. */
export type Choice = Decision | ((entry: FolderEntry) => Decision);

/** Returns the current folder. */
export interface FileContext {
  folder: () => FilePlace;
  /** Returns the entries that actions apply to. */
  targets: () => Promise<readonly FolderEntry[]>;
  /** Delays the display of changes in the folder until the work has ended. */
  hold: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called with the new names of entries of a folder. */
  onrenamed: (folder: FilePlace, names: ReadonlyMap<EncodedPath, EncodedPath>) => Promise<void>;
}

const JOBS = { move_files: "files.moving", copy_files: "files.copying", bin_files: "files.binning", undo_files: "files.undoing", export_pictures: "export.working", contact_sheet: "sheet.working" } as const;
type JobKind = keyof typeof JOBS;

/** A rename of entries of a folder: the names after it, by those before it. */
interface Names {
  folder: FilePlace;
  /** The folder below it that contains the entries. */
  within: EncodedPath;
  names: ReadonlyMap<EncodedPath, EncodedPath>;
}

/** The result, common to all kinds of requests. */
type Outcome = Pick<FilesDone, "done" | "failed">;

/** What failed of an operation: the first reason, or null, and whether nothing was done. */
interface Loss {
  reason: unknown;
  isTotal: boolean;
}

/** The result of an undo so far. */
interface UndoResult {
  done: FilesDone[];
  /** The reasons why a part can't be undone. */
  stuck: ErrorDetails[];
  /** The reason why an operation was not undone, and is not worth a retry. */
  complaint: unknown;
}

/** The delay before a message that offers to stop the work, in milliseconds. */
const PATIENCE = 1_000;

/** The number of unchanged names that are shown with their reasons, in a question and in a message. */
const MAX_QUESTION_NAMES = 6;
const MAX_FAILURES_SHOWN = 3;

export class FileActions {
  dialog = $state.raw<OpenDialog | null>(null);
  /** The progress of a long operation, as the server reports it. */
  working = $state.raw<EventMap["job.progress"] | null>(null);
  /** The options of the last export. */
  #exportOptions: ExportOptions = DEFAULTS;
  /** The options of the last print. */
  #printOptions: PrintOptions = PRINT_DEFAULTS;
  /** The options of the last contact sheet. */
  #sheetOptions: SheetOptions = SHEET_DEFAULTS;
  /** The folder of the last export or contact sheet. */
  #exportTarget: NamedFolder | null = null;
  /** The renames that revert an operation, by its id. */
  readonly #formerNames = new Map<string, Names>();
  /** The number of pending requests. */
  #pendingRequests = 0;
  /** The direction of the last reversal that began. */
  #reversal: Reversal = "undo";
  /** The files that are being moved to the trash. */
  readonly #pendingTrash = new Set<string>();

  constructor(
    private readonly backend: Pick<Backend, "files" | "folders" | "jobs" | "events" | "roots" | "desktop">,
    private readonly host: Pick<Host, "navigate" | "toast" | "confirm" | "describe">,
    private readonly context: FileContext,
  ) {}

  /** Follows the server's progress of long operations. Returns a function that stops it. */
  listen(): () => void {
    return this.backend.events.on("job.progress", (job) => {
      if (!(job.kind in JOBS)) return;
      if (isAtWork(job.state) && this.#pendingRequests > 0) this.working = job;
      else if (this.working?.job_id === job.job_id) this.working = null;
    });
  }

  /** The progress in words. */
  get progress(): string | null {
    const job = this.working;
    if (!job || job.total === 0) return null;
    const percent = `${formatNumber(Math.floor((job.done / job.total) * 100))}%`;
    const isRedo = job.kind === "undo_files" && this.#reversal === "redo";
    return t(isRedo ? "files.redoing" : JOBS[job.kind as JobKind], { percent });
  }

  close(): void {
    this.dialog = null;
  }

  async openRenameDialog(): Promise<void> {
    const chosen = await this.#chosen();
    if (chosen) this.dialog = { kind: "rename", chosen };
  }

  async openTargetDialog(how: Transfer): Promise<void> {
    const chosen = await this.#chosen();
    if (chosen) this.dialog = { kind: "target", how, chosen };
  }

  /** Asks how to export the pictures among the files. */
  async openExportDialog(): Promise<void> {
    const chosen = await this.#chosenPictures("export.pictures_only");
    if (chosen) this.dialog = { kind: "export", chosen, options: this.#exportOptions, to: this.#exportTarget };
  }

  /** Asks for the layout of a contact sheet of the pictures among the files. */
  async openSheetDialog(): Promise<void> {
    const chosen = await this.#chosenPictures("print.pictures_only");
    if (chosen) this.dialog = { kind: "sheet", chosen, options: this.#sheetOptions, to: this.#exportTarget };
  }

  /** Asks for the layout of the printed pictures among the files. */
  async openPrintDialog(): Promise<void> {
    const chosen = await this.#chosenPictures("print.pictures_only");
    if (chosen && chosen.entries.length > MAX_PRINTED) this.host.toast(t("print.many", { max: formatNumber(MAX_PRINTED) }), { tone: "warn" });
    else if (chosen) this.dialog = { kind: "print", chosen, options: this.#printOptions };
  }

  /** Closes the dialog after a print, and remembers the layout. */
  printed(options: PrintOptions): void {
    this.#printOptions = options;
    this.close();
  }

  /** Returns the pictures among the files; null, with a message, if there are none. */
  async #chosenPictures(none: "export.pictures_only" | "print.pictures_only"): Promise<EntrySet | null> {
    const chosen = await this.#chosen();
    const entries = chosen?.entries.filter(({ kind, video }) => kind === "picture" && !video) ?? [];
    if (chosen && entries.length === 0) this.host.toast(t(none));
    return chosen && entries.length > 0 ? { ...chosen, entries } : null;
  }

  /** Makes a contact sheet of pictures, as a new PDF. */
  async makeSheet(chosen: EntrySet, to: NamedFolder, name: string, title: string, options: SheetOptions): Promise<void> {
    this.close();
    this.#sheetOptions = options;
    this.#exportTarget = to;
    try {
      const wanted = { ...options, captions: [...options.captions], name, title, numbered: true };
      const made = await this.#work("contact_sheet", () => this.backend.files.contactSheet(placesOf(chosen), to, wanted));
      const action = { label: t("export.show"), run: async () => void (await this.host.navigate(picturesAddress(to.root, to.path))) };
      const shown = isSamePlace(to, this.context.folder()) ? {} : { action };
      const words = { name: displayName(made.name), folder: to.name };
      this.host.toast(t(made.has_text ? "sheet.done" : "sheet.done_without_text", words), { tone: made.has_text ? "good" : "warn", ...shown });
      this.#reportFailed(made.failed, "sheet");
    } catch (error) {
      if (hasCode(error, "cancelled")) this.host.toast(t("sheet.cancelled"));
      else this.#reportError(error, "sheet", chosen.entries);
    }
  }

  /** Exports pictures as new files. */
  async exportPictures(chosen: EntrySet, to: NamedFolder, options: ExportOptions): Promise<void> {
    this.close();
    this.#exportOptions = options;
    this.#exportTarget = to;
    try {
      const done = await this.#work("export_pictures", () => this.backend.files.exportPictures(placesOf(chosen), to, options));
      const folder = to.name;
      const action = { label: t("export.show"), run: async () => void (await this.host.navigate(picturesAddress(to.root, to.path))) };
      const shown = isSamePlace(to, this.context.folder()) ? {} : { action };
      if (done.skipped > 0) this.host.toast(t("export.done_partly", { count: chosen.entries.length, done: done.exported, folder }), { tone: "warn", ...shown });
      else if (done.exported > 0) this.host.toast(t("export.done", { count: done.exported, folder }), { tone: "good", ...shown });
      this.#reportFailed(done.failed, "export");
    } catch (error) {
      this.#reportError(error, "export", chosen.entries);
    }
  }

  /** Asks how to rotate the file of one picture itself. */
  async openRotateDialog(): Promise<void> {
    const chosen = await this.#chosen();
    const [entry, ...others] = chosen?.entries ?? [];
    if (!chosen || !entry) return;
    if (others.length > 0) this.host.toast(t("rotation.one_only"));
    else if (entry.kind !== "picture" || !/\.jpe?g$|\.jfif$/i.test(entry.name)) this.host.toast(t("error.not_rotatable"));
    else this.dialog = { kind: "rotate", chosen, entry };
  }

  /** Rotates the file of a picture itself. The old file goes to the trash. */
  async rotateFile({ folder, entries }: EntrySet, entry: FolderEntry, turn: number): Promise<void> {
    this.close();
    try {
      const done = await this.#work("copy_files", () => this.backend.files.rotateFile(placeOfEntry(folder, entry), turn));
      this.#report([done], "rotate", t("rotation.done", { name: displayName(entry.name) }));
    } catch (error) {
      this.#reportError(error, "rotate", entries);
    }
  }

  /** Asks for the page to insert into, if there are pictures. */
  async openPageDialog(): Promise<void> {
    const chosen = await this.#chosen();
    const pictures = chosen ? picturesOf(chosen.folder, chosen.entries) : [];
    if (pictures.length > 0) this.openPageDialogFor(pictures);
    else this.host.toast(t("insert.none"));
  }

  openPageDialogFor(pictures: readonly TransferredPicture[]): void {
    this.dialog = { kind: "page", pictures };
  }

  /** Copies the fence by which a page shows the folder. */
  async copyGallery(): Promise<void> {
    const { root, path } = this.context.folder();
    const found = (await this.backend.roots.list()).find(({ id }) => id === root);
    const fence = found ? galleryFence(found, path) : null;
    if (!found || fence === null) {
      this.host.toast(t("insert.gallery_unwritable"), { tone: "warn" });
      return;
    }
    try {
      await navigator.clipboard.writeText(fence);
      const folder = displayName(path === "" ? found.name : readableSegment(path.slice(path.lastIndexOf("/") + 1)));
      this.host.toast(t("insert.gallery_copied", { folder }), { tone: "good" });
    } catch {
      this.host.toast(t("insert.gallery_failed"), { tone: "bad" });
    }
  }

  /** Asks for the name of a new folder. */
  openNewFolderDialog(parent: NamedFolder): void {
    this.dialog = { kind: "new-folder", parent };
  }

  /** Creates a folder. Rejects so that the dialog can show the reason. */
  async createFolder(parent: NamedFolder, name: string): Promise<void> {
    const { root, path, path_bytes } = await this.backend.folders.create(parent, name);
    this.close();
    const address = picturesAddress(root, encodePathFields(path, path_bytes));
    const entry: FolderEntry = { name, kind: "folder", size: 0, mtime: "" };
    this.host.toast(t("files.created", { name: displayName(name) }), {
      tone: "good",
      action: { label: t("export.show"), run: async () => void (await this.host.navigate(address)) },
      undo: async () => void (await this.moveToTrash({ folder: { root: parent.root, path: parent.path }, entries: [entry] })),
    });
  }

  openRecentDialog(): void {
    this.dialog = { kind: "recent" };
  }

  /** Renames files. Within each folder all are renamed, or none. Rejects so that the dialog can show the reason. */
  async rename(folder: FilePlace, names: readonly Renamed[]): Promise<void> {
    const changed = names.filter(({ from, to }) => from.name !== to || from.name_bytes);
    const { dialog } = this;
    const done: FilesDone[] = [];
    try {
      await this.context.hold(async () => {
        for (const [within, some] of byFolder(changed)) done.push(await this.#renameIn(folder, within, some, dialog));
      });
    } catch (error) {
      if (this.dialog === dialog) throw error;
      // The dialog was closed meanwhile, so the reason is not shown there.
      this.#reportError(error, "rename", changed.map(({ from }) => from));
    } finally {
      this.#reportRenamed(done, changed);
    }
  }

  async #renameIn(folder: FilePlace, within: EncodedPath, changed: readonly Renamed[], dialog: OpenDialog | null): Promise<FilesDone> {
    const done = await this.backend.files.rename({ ...folder, path: resolvePath(folder.path, within) }, changed);
    if (this.dialog === dialog) this.close();
    const names = changed.map(({ from, to }) => [encodeName(from), resolvePath(within, encodeName({ name: to }))] as const);
    if (done.operation) this.#formerNames.set(done.operation, { folder, within, names: new Map(names.map(([from, to]) => [to, from])) });
    await this.context.onrenamed(folder, new Map(names));
    return done;
  }

  /**
   * Reports the renames. Files of several folders were renamed by one operation each, and one undo reverts all of them.
   */
  #reportRenamed(done: readonly FilesDone[], [first, ...others]: readonly Renamed[]): void {
    const undo = this.#undoing(done);
    if (!first || !undo) return;
    const { done: count } = combine(done);
    const words = others.length === 0 ? t("files.renamed_one", { name: displayName(first.to) }) : t("files.renamed", { count });
    this.host.toast(words, { tone: "good", undo });
  }

  /**
   * Moves or copies entries. `existing` is the same for all entries, or a decision for each. Returns true if any of
   * them was transferred.
   */
  async transfer(how: Transfer, chosen: EntrySet, to: NamedFolder, existing: ExistingFile | ((entry: FolderEntry) => Decision) = "refuse"): Promise<boolean> {
    this.close();
    const { folder, entries } = chosen;
    const inPlace = how === "copy" ? entriesIn(to, chosen) : [];
    const others = entries.filter((entry) => !inPlace.includes(entry));
    const done: FilesDone[] = [];
    const send = async (some: readonly FolderEntry[], wanted: ExistingFile) => {
      if (some.length === 0) return;
      done.push(await this.#work(`${how}_files`, () => this.backend.files[how](placesOf({ folder, entries: some }), to, wanted)));
    };
    try {
      for (const [wanted, some] of byDecision(others, existing)) await send(some, wanted);
      // A copy in the same folder needs another name.
      await send(inPlace, "keep_both");
      if (done.length === 0) this.host.toast(t("files.nothing"));
    } catch (error) {
      const isOfOthers = others.length > 0 && done.length === 0;
      if (hasCode(error, "file_name_taken") && existing === "refuse" && isOfOthers) {
        const conflicts = await this.#conflicts(folder, others, to);
        this.#askAbout(error.details, { from: folder, to, conflicts, onanswer: (choice) => void this.transfer(how, chosen, to, choice) });
      } else this.#reportError(error, how, entries);
    }
    if (done.length > 0) this.#report(done, how, transferred(how, combine(done), entries, to));
    return combine(done).done > 0;
  }

  /** Moves or copies files that were dropped from another program. */
  async receive(how: Transfer, files: readonly GrantedFile[], to: NamedFolder, existing: ExistingFile = "refuse"): Promise<void> {
    this.close();
    try {
      const grants = files.map(({ grant }) => grant);
      const done = await this.#work(`${how}_files`, () => this.backend.files.receive(how, grants, to, existing));
      this.#report([done], how, transferred(how, done, files, to));
    } catch (error) {
      if (!hasCode(error, "file_name_taken") || existing !== "refuse") this.#reportError(error, how, files);
      else this.#askAbout(error.details, { from: to, to, conflicts: [], onanswer: (choice) => void this.receive(how, files, to, typeof choice === "string" ? choice : "keep_both") });
    }
  }

  /** Asks what to do with the files whose names are taken. */
  #askAbout({ names = [], count, identical }: ErrorDetails, question: Pick<ConflictQuestion, "from" | "to" | "conflicts" | "onanswer">): void {
    this.dialog = { kind: "conflict", names, count: count ?? names.length, identical: identical ?? null, ...question };
  }

  /** Returns the entries with those in their way; none if they can't be compared, as the names alone are a question, too. */
  async #conflicts(folder: FilePlace, entries: readonly FolderEntry[], to: NamedFolder): Promise<EntryConflict[]> {
    try {
      const { conflicts } = await this.backend.files.conflicts(placesOf({ folder, entries }), to);
      return conflicts.flatMap(({ item, ...facts }) => {
        const entry = entries[item];
        return entry ? [{ entry, ...facts }] : [];
      });
    } catch {
      return [];
    }
  }

  /** Moves files to the trash. Returns true if any file was moved. */
  async moveToTrash(given?: EntrySet): Promise<boolean> {
    const chosen = this.#withoutPendingTrash(given ?? (await this.#chosen()));
    const [first] = chosen.entries;
    if (!first) return false;
    const places = placesOf(chosen);
    for (const place of places) this.#pendingTrash.add(folderId(place));
    try {
      const done = await this.#work("bin_files", () => this.backend.files.bin(places));
      const isOne = chosen.entries.length === 1;
      this.#report([done], "bin", isOne ? t("files.binned_one", { name: displayName(first.name) }) : t("files.binned", { count: done.done }));
      return done.done > 0;
    } catch (error) {
      this.#reportError(error, "bin", chosen.entries);
      return false;
    } finally {
      for (const place of places) this.#pendingTrash.delete(folderId(place));
    }
  }

  /** Moves files to the trash by a request of another view, which may refuse some. */
  async trashBy(request: () => Promise<FilesDone>): Promise<void> {
    try {
      const done = await this.#work("bin_files", request);
      this.#report([done], "bin", t("files.binned", { count: done.done }));
    } catch (error) {
      this.#reportError(error, "bin");
    }
  }

  recent(signal: AbortSignal): Promise<FileOperation[]> {
    return this.backend.files.operations(signal);
  }

  /**
   * Undoes an operation, or does an undone one again. If a part can't be undone, the user decides about the rest. Rejects
   * if a retry is possible.
   */
  undo({ id, undone }: Pick<FileOperation, "id" | "undone">): Promise<void> {
    return this.#undoAll([id], undone ? "redo" : "undo");
  }

  /** Returns a function that undoes all operations, the last one first; null if nothing was done. */
  #undoing(done: readonly FilesDone[]): (() => Promise<void>) | null {
    const operations = done.flatMap(({ operation }) => operation ?? []).reverse();
    return operations.length > 0 ? () => this.#undoAll(operations, "undo") : null;
  }

  /**
   * Undoes the operations, and removes those from the list that are not worth a retry. Messages and questions appear
   * only once.
   */
  async #undoAll(operations: string[], reversal: Reversal): Promise<void> {
    const undone: UndoResult = { done: [], stuck: [], complaint: null };
    this.#reversal = reversal;
    try {
      await this.#undoEach(operations, undone, false);
      if (operations.length > 0 && (await this.#mayUndoRest(undone.stuck))) await this.#undoEach(operations, undone, true);
      operations.length = 0;
    } finally {
      this.#reportUndone(undone.done, reversal);
      if (undone.complaint !== null) this.#reportError(undone.complaint, reversal);
    }
  }

  /**
   * Undoes each operation. With `partly` each is undone as far as possible; otherwise those that changed since stay in
   * the list.
   */
  async #undoEach(operations: string[], undone: UndoResult, partly: boolean): Promise<void> {
    for (const id of [...operations]) {
      try {
        undone.done.push(await this.#undoOne(id, partly));
      } catch (error) {
        if (!partly && hasCode(error, "changed_since")) {
          undone.stuck.push(error.details);
          continue;
        }
        // An operation that was undone elsewhere does not prevent the undo of earlier ones.
        if (!hasCode(error, "cancelled", "operation_not_found")) throw error;
        undone.complaint ??= error;
      }
      operations.splice(operations.indexOf(id), 1);
    }
  }

  /** Undoes an operation. Files that get their previous names back are followed, as they were to the new names. */
  async #undoOne(id: string, partly: boolean): Promise<FilesDone> {
    const former = this.#formerNames.get(id);
    const run = async () => {
      const done = await this.#work("undo_files", () => (partly ? this.backend.files.undo(id, true) : this.backend.files.undo(id)));
      this.#formerNames.delete(id);
      if (!former) return done;
      const names = undoneNames(former, done);
      if (done.redo) this.#formerNames.set(done.redo, { ...former, names: new Map([...names].map(([now, before]) => [before, now])) });
      await this.context.onrenamed(former.folder, names);
      return done;
    };
    return former ? this.context.hold(run) : run();
  }

  async #mayUndoRest(stuck: readonly ErrorDetails[]): Promise<boolean> {
    const all = stuck.flatMap(({ names = [], reasons = [] }) => names.map((name, at) => ({ name, reason: reasons[at] })));
    const count = stuck.reduce((sum, one) => sum + (one.count ?? one.names?.length ?? 0), 0);
    const each = all.slice(0, MAX_QUESTION_NAMES).map(({ name, reason }) => ({ name: displayName(name), words: reason === undefined ? "" : t(`stuck.${reason}`) }));
    const more = count > each.length ? t("files.stuck_more", { count: count - each.length }) : undefined;
    return this.host.confirm({ title: t("files.stuck_title"), message: t("files.stuck", { count }), each, more, confirm: t("files.undo_rest") });
  }

  /**
   * Returns the entries to act on; null if there are none, or if the user went to another folder while they were read.
   */
  async #chosen(): Promise<EntrySet | null> {
    const folder = this.context.folder();
    const entries = await this.context.targets();
    return entries.length > 0 && isSamePlace(folder, this.context.folder()) ? { folder, entries } : null;
  }

  /** Excludes entries that are already being moved to the trash. */
  #withoutPendingTrash(chosen: EntrySet | null): EntrySet {
    if (!chosen) return { folder: this.context.folder(), entries: [] };
    const { folder, entries } = chosen;
    return { folder, entries: entries.filter((entry) => !this.#pendingTrash.has(folderId(placeOfEntry(folder, entry)))) };
  }

  /** Reports an operation that takes long, with a way to stop it. */
  async #work<T extends object>(kind: JobKind, run: () => Promise<T>): Promise<T> {
    this.#pendingRequests += 1;
    const begun = Date.now();
    const address = `${location.pathname}${location.search}`;
    const notify = (loss: Loss) => {
      if (Date.now() - begun >= LONG_MS) notifyEnd(this.backend.desktop, { what: t(`jobs.${kind}`), address }, loss);
    };
    let closeToast = () => {};
    const timer = setTimeout(() => {
      const action = { label: t("files.stop"), run: () => this.#stop(kind) };
      closeToast = this.host.toast(t("files.long"), { tone: "busy", duration: null, action });
    }, PATIENCE);
    try {
      const outcome = await run();
      notify(lossOf(outcome));
      return outcome;
    } catch (error) {
      notify({ reason: error, isTotal: true });
      throw error;
    } finally {
      clearTimeout(timer);
      closeToast();
      this.#pendingRequests -= 1;
      if (this.#pendingRequests === 0) this.working = null;
    }
  }

  async #stop(kind: JobKind): Promise<void> {
    const jobs = await this.backend.jobs.list();
    const job = jobs.find((one) => one.kind === kind && isAtWork(one.state));
    if (job) await this.backend.jobs.cancel(job.id);
  }

  #report(done: readonly FilesDone[], operation: OperationName, words: string): void {
    const undo = this.#undoing(done);
    const { failed } = combine(done);
    if (undo) this.host.toast(words, { tone: "good", undo });
    else if (failed.length === 0) this.host.toast(t("files.nothing"));
    this.#reportFailed(failed, operation);
  }

  #reportUndone(each: readonly FilesDone[], reversal: Reversal): void {
    const { done, failed } = combine(each);
    this.#offerReverse(each, done, reversal);
    if (failed.length < 2) {
      this.#reportFailed(failed, reversal);
      return;
    }
    // Each with its own reason.
    const reasons = failed.slice(0, MAX_FAILURES_SHOWN).map(({ name, error }) => {
      return t("files.not_undone_each", { name: displayName(name), why: this.host.describe(apiError(error, 0)) });
    });
    const more = failed.length > MAX_FAILURES_SHOWN ? [t("files.stuck_more", { count: failed.length - MAX_FAILURES_SHOWN })] : [];
    const words = [t(reversal === "undo" ? "files.not_undone" : "files.not_redone", { count: failed.length }), ...reasons, ...more];
    this.host.toast(words.join("\n"), { tone: "bad", duration: null });
  }

  /** Reports what was undone, and offers to do it again; or the reverse. */
  #offerReverse(each: readonly FilesDone[], count: number, reversal: Reversal): void {
    if (count === 0) return;
    const operations = each.flatMap(({ redo }) => redo ?? []).reverse();
    const run = (next: Reversal) => () => this.#undoAll(operations, next);
    if (reversal === "undo") this.host.toast(t("files.undone", { count }), { tone: "good", ...(operations.length > 0 && { redo: run("redo") }) });
    else this.host.toast(t("files.redone", { count }), { tone: "good", ...(operations.length > 0 && { undo: run("undo") }) });
  }

  #reportFailed(failed: FilesDone["failed"], operation: OperationName): void {
    const [first] = failed;
    if (!first) return;
    const name = displayName(first.name);
    const why = this.host.describe(apiError(first.error, 0));
    const words = failed.length === 1 ? t(`files.failed_${operation}_one`, { name, why }) : t(`files.failed_${operation}`, { count: failed.length, name, why });
    this.host.toast(words, { tone: "bad", duration: null });
  }

  /** Reports a failure without any effect. A cancellation by the user is not reported. */
  #reportError(error: unknown, operation: OperationName, entries: readonly { name: string }[] = []): void {
    if (hasCode(error, "cancelled")) return;
    const why = this.host.describe(error);
    const [first] = entries;
    const isOfFile = entries.length === 1 && !hasCode(error, "unreachable", "shutting_down", "internal");
    this.host.toast(first && isOfFile ? t(`files.failed_${operation}_one`, { name: displayName(first.name), why }) : why, { tone: "bad" });
  }
}

/** Returns the entries that are in this folder itself. */
export function entriesIn(folder: FilePlace, { folder: shown, entries }: EntrySet): FolderEntry[] {
  return entries.filter((entry) => isSamePlace(folder, folderOf(placeOfEntry(shown, entry))));
}

function folderOf({ root, path }: FilePlace): FilePlace {
  return { root, path: parentPath(path) ?? ROOT_PATH };
}

/** Returns the entries by what is done if their names are taken, without those that stay where they are. */
function byDecision(entries: readonly FolderEntry[], existing: ExistingFile | ((entry: FolderEntry) => Decision)): [ExistingFile, FolderEntry[]][] {
  if (typeof existing !== "function") return [[existing, [...entries]]];
  return (["replace", "keep_both"] as const).map((decision) => [decision, entries.filter((entry) => existing(entry) === decision)]);
}

function placesOf({ folder, entries }: EntrySet): FilePlace[] {
  return entries.map((entry) => placeOfEntry(folder, entry));
}

/** Returns the entries that have their previous names again. If some were skipped, the server does not say which. */
function undoneNames({ names, within }: Names, { skipped, failed }: FilesDone): Names["names"] {
  if (skipped > 0) return new Map();
  const stuck = new Set(failed.map((one) => resolvePath(within, encodeName(one))));
  return new Map([...names].filter(([now]) => !stuck.has(now)));
}

function combine(done: readonly FilesDone[]): Outcome {
  return { done: done.reduce((sum, one) => sum + one.done, 0), failed: done.flatMap(({ failed }) => failed) };
}

function isAtWork(state: string): boolean {
  return state === "queued" || state === "running" || state === "paused";
}

function transferred(how: Transfer, done: Outcome, entries: readonly { name: string }[], to: NamedFolder): string {
  const folder = to.name;
  const [first] = entries;
  if (entries.length === 1 && first) return t(how === "move" ? "files.moved_one" : "files.copied_one", { name: displayName(first.name), folder });
  return t(how === "move" ? "files.moved" : "files.copied", { count: done.done, folder });
}

/** The part of an operation that failed, by its outcome. Exports and contact sheets fail as a whole. */
function lossOf(outcome: object): Loss {
  const { done, failed } = { done: 0, failed: [], ...outcome } as Outcome;
  const [first] = failed;
  return first ? { reason: apiError(first.error, 0), isTotal: done === 0 } : { reason: null, isTotal: false };
}
