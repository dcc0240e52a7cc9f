// The ways out of the editor without a save: each keeps the text or asks first, and releases the lock.
import type { Host, FlushResult } from "../../api/host";
import { withTimeout } from "../../api/transport/timeout";
import type { DraftFiles } from "../autosave/draft-files";
import type { DiscardedEdit } from "../autosave/discard";
import type { EditSession } from "./edit-session.svelte";
import type { UploadQueue } from "../files/upload-queue.svelte";

export interface ExitActions {
  /** Goes to the page in the reading view. */
  toPage: () => Promise<unknown>;
  /** Saves, and goes there; stays if the save fails. */
  save: () => Promise<unknown>;
  /** Deletes the files that the edit had added, now that it is discarded. */
  discarded: (edit: DiscardedEdit) => Promise<void>;
}

/** A server without an answer must not hold the user here. */
const PATIENCE_MS = 2_000;
/** The shorter limit for a closing window. */
const CLOSING_MS = 1_000;

export class EditorExit {
  #cancelling = false;

  constructor(
    private readonly session: EditSession,
    private readonly uploads: Pick<UploadQueue, "now" | "settled">,
    private readonly files: Pick<DraftFiles, "exist" | "mayExist" | "count">,
    private readonly host: Host,
    private readonly ways: ExitActions,
  ) {}

  /** Guards every way out; returns a function that stops it. */
  listen(): () => void {
    const { host, session } = this;
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (session.dirty || this.uploads.now !== null || (this.#isDraft() && this.files.exist)) event.preventDefault();
    };
    const onHidden = () => {
      if (document.visibilityState === "hidden") void session.flush();
      else session.wake();
    };
    const onBack = () => session.wake();
    window.addEventListener("beforeunload", onBeforeUnload);
    window.addEventListener("online", onBack);
    window.addEventListener("pageshow", onBack);
    document.addEventListener("visibilitychange", onHidden);
    const stops = [host.beforeLeave(() => this.#mayLeave()), host.onWindowClosing((certain) => (certain ? this.#close() : this.#keep()))];
    return () => {
      for (const stop of stops) stop();
      window.removeEventListener("beforeunload", onBeforeUnload);
      window.removeEventListener("online", onBack);
      window.removeEventListener("pageshow", onBack);
      document.removeEventListener("visibilitychange", onHidden);
    };
  }

  /** Cancels the editing, after a question whether to discard or save unsaved text. */
  async cancel(): Promise<void> {
    // Once only: the question may take a moment to appear.
    if (this.#cancelling) return;
    this.#cancelling = true;
    try {
      await this.#cancel();
    } finally {
      this.#cancelling = false;
    }
  }

  async #cancel(): Promise<void> {
    const { host, session } = this;
    const files = await this.#filesAtStake();
    if (session.dirty || files > 0) {
      const answer = await this.#askCancel(files);
      if (answer === "save") await this.ways.save();
      if (answer !== "discard") return;
    }
    const edit = session.discardable;
    const discarded = session.discard();
    try {
      await inTime(discarded);
    } catch {
      host.toast(host.t("editor.discard_failed"), { tone: "warn" });
    }
    await this.ways.toPage();
    await this.#discarded(edit, discarded);
  }

  /**
   * Deletes the edit's added files once the text is deleted; a text that could not be deleted is offered again, and
   * needs them.
   */
  async #discarded(edit: DiscardedEdit, discarded: Promise<void>): Promise<void> {
    const isGone = await discarded.then(
      () => true,
      () => false,
    );
    if (isGone) await this.ways.discarded(edit);
  }

  /** Handles a closing window: the files of a page that was never saved are deleted only with the user's consent. */
  async #keep(): Promise<FlushResult> {
    const { session } = this;
    await session.settled();
    if (!session.isAutosaved) return "unsaved";
    const files = await withTimeout(CLOSING_MS, this.#filesAtStake());
    return (files ?? Number(this.#isDraft() && this.files.mayExist)) > 0 ? "files at stake" : "saved";
  }

  /** Handles a closing window or tab. */
  #close(): Promise<FlushResult> {
    return this.session.close(this.#isDraft() && (this.files.mayExist || this.uploads.now !== null));
  }

  #isDraft(): boolean {
    const { phase, base, lock } = this.session;
    return phase.kind === "editing" && base === null && lock.kind !== "ended";
  }

  /** The number of files that are deleted with a draft that was never saved. */
  async #filesAtStake(): Promise<number> {
    return this.#isDraft() ? this.files.count(this.session.pageId) : 0;
  }

  /** A description of the data that is lost by leaving. */
  #words(text: string, files: number): string {
    const { t } = this.host;
    const parts = [this.session.dirty ? text : "", files > 0 ? t("editor.leave_files", { count: files }) : ""];
    return parts.filter((part) => part !== "").join("\n");
  }

  async #askCancel(files: number): Promise<"stay" | "save" | "discard"> {
    const { t } = this.host;
    const chosen = { save: false };
    const instead = { label: t("editor.cancel_save"), keys: "Mod+s", run: () => void (chosen.save = true) };
    const discards = await this.host.confirm({
      title: t("editor.cancel_title"),
      message: this.#words(t("editor.cancel_message"), files),
      confirm: t("editor.cancel_confirm"),
      cancel: t("editor.cancel_stay"),
      danger: true,
      ...(this.session.dirty ? { instead } : {}),
    });
    if (discards) return "discard";
    return chosen.save ? "save" : "stay";
  }

  /** Guards a change of the address: the text stays in its autosave entry. */
  async #mayLeave(): Promise<boolean> {
    const { host, session } = this;
    if (session.phase.kind !== "editing") return true;
    await withTimeout(PATIENCE_MS, this.uploads.settled());
    if (this.uploads.now !== null && !(await this.#confirmUnlinked())) return false;
    await withTimeout(PATIENCE_MS, session.flush());
    const files = await this.#filesAtStake();
    if ((session.dirty || files > 0) && !(await this.#confirmLeave(files))) return false;
    const edit = session.discardable;
    const leaving = session.leave();
    // Unsaved text is kept, with its files.
    if (!edit.dirty) void this.#discarded(edit, leaving);
    try {
      await inTime(leaving);
    } catch {
      // The lock expires by itself; the user is notified, and can leave.
      host.toast(host.t("editor.release_failed"), { tone: "warn" });
    }
    return true;
  }

  /** Asks for consent: a file that arrives later stays with the page, but nothing links to it. */
  #confirmUnlinked(): Promise<boolean> {
    const { t } = this.host;
    return this.host.confirm({
      title: t("editor.leave_bringing_title"),
      message: t("editor.leave_bringing", { name: this.uploads.now?.label ?? "" }),
      confirm: t("editor.leave"),
      cancel: t("editor.cancel_stay"),
    });
  }

  #confirmLeave(files: number): Promise<boolean> {
    const { t } = this.host;
    const isUnsaved = this.session.autosave.kind !== "saved";
    return this.host.confirm({
      title: t("editor.leave_title"),
      message: this.#words(t(isUnsaved ? "editor.leave_message_unkept" : "editor.leave_message"), files),
      confirm: t("editor.leave"),
      cancel: t("editor.cancel_stay"),
      danger: isUnsaved || files > 0,
    });
  }
}

/** Rejects if the work takes longer than the user should wait; the work itself continues. */
async function inTime(work: Promise<void>): Promise<void> {
  const done = await withTimeout(
    PATIENCE_MS,
    work.then(() => true),
  );
  if (done === null) throw new Error("no answer in time");
}
