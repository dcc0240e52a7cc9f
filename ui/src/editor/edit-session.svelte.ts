// One stay in the editor: the lock, the journal, the text and its saving, as reactive state. The room draws it.
import { Text } from "@codemirror/state";
import type { Backend, JournalEntry, PageLock } from "../api/backend";
import { hasCode } from "../api/errors";
import type { Kept } from "../api/host";
import { within } from "../api/within";
import type { LockTokens } from "../editing/lock-tokens";
import { type Offer, offersOf } from "../editing/offers";
import { uuidV4 } from "../editing/tab-id";
import type { DiscardedEdit } from "./discarding";
import { newText } from "./new-text";
import { journalPlace } from "./journal-place";
import { docOf } from "./doc";
import { JournalQueue, type JournalState } from "./journal-queue";
import { LeftTexts } from "./left-texts.svelte";
import { hearOfLock, type LockNews } from "./lock-news";
import { LockSession, throwUnlessRefused, type LockState } from "./lock-session";
import { type Base, beginDraft, openPage, type Past, type Opening, ownBehind, type OwnLock, type Phase, readBase, takeLock, takeOver, versionOf } from "./open-page";
import type { Put, Saved, SaveState, Then } from "./saving";
import { giveBackUnused, giveBackUnusedOnClose } from "./unused-lock";

/** How long a window that closes waits for its lock to be given back. */
const RELEASE_MS = 1_000;

export interface EditSessionParts {
  backend: Backend;
  tokens: LockTokens;
  path: string;
}

export class EditSession {
  phase = $state.raw<Phase>({ kind: "opening" });
  lock = $state.raw<LockState>({ kind: "ended" });
  /** Who has taken the lock that was lost, where that is known. */
  holder = $state.raw<string | null>(null);
  journal = $state.raw<JournalState>({ kind: "kept" });
  /** Whether the server is there, as far as its events tell. */
  connected = $state(true);
  saving = $state.raw<SaveState>({ kind: "idle" });
  /** The revision that the text starts from; null for a new page. */
  base = $state.raw<Base | null>(null);
  /** A revision that somebody else saved while the lock was lost. */
  conflict = $state.raw<Base | null>(null);
  /** Whether the newest revision is to be overwritten. */
  amend = $state(false);
  me = $state.raw<string | null>(null);
  #doc = $state.raw(Text.empty);
  #baseDoc = $state.raw(Text.empty);
  readonly dirty = $derived(!this.#doc.eq(this.#baseDoc));
  readonly length = $derived(this.#doc.length);
  /** Only one's own newest revision may be overwritten. */
  readonly mayAmend = $derived(this.base !== null && this.conflict === null && this.base.author === this.me);

  readonly #backend: Backend;
  readonly #tokens: LockTokens;
  readonly #path: string;
  #pageId = $state("");
  #lockSession: LockSession | null = null;
  #stopHearing = () => {};
  #queue: JournalQueue | null = null;
  #journalTab = "";
  readonly #left: LeftTexts;
  #disposed = false;
  /** The oldest revision from which a text that was taken up began. */
  #takenSince = Infinity;
  /** The save that is under way; never rejects. */
  #underWay: Promise<unknown> = Promise.resolve();

  constructor({ backend, tokens, path }: EditSessionParts) {
    this.#backend = backend;
    this.#tokens = tokens;
    this.#path = path;
    this.#left = new LeftTexts(backend.journal, path);
  }

  /** The page, or the draft that is written. A draft that is gone is begun anew, as another. */
  get pageId(): string {
    return this.#pageId;
  }

  /** One's own lock, where that is what has taken the place of the one that was lost. */
  get ownElsewhere(): OwnLock | null {
    return this.holder !== null && this.holder === this.me ? { pageId: this.#pageId, isDraft: this.base === null } : null;
  }

  /** What the lines of this page end in. */
  get lineBreak(): string {
    return this.base?.text.includes("\r\n") ? "\r\n" : "\n";
  }

  /** The text as it would be saved; what was not touched stays as it was, byte for byte. */
  get text(): string {
    if (this.base !== null && !this.dirty) return this.base.text;
    return this.#doc.sliceString(0, this.#doc.length, this.lineBreak);
  }

  /** What a discard would take away now. */
  get discardable(): DiscardedEdit {
    const revision = this.base?.revision ?? null;
    const since = revision === null ? null : Math.min(revision, this.#takenSince);
    return { pageId: this.#pageId, text: this.text, dirty: this.dirty, revision, since };
  }

  /** Unsaved texts of earlier that the person has not decided about. */
  get offers(): readonly Offer[] {
    return this.#left.offers;
  }

  get doc(): Text {
    return this.#doc;
  }

  /** Begins; `past` is what the person has been told of pages that were here before. */
  async open(past: Past = "nothing"): Promise<void> {
    await this.#enter(() => openPage(this.#backend, this.#tokens, this.#path, past));
  }

  /** Tries to lock the page from here, where no token was found. */
  async takeLock(pageId: string): Promise<void> {
    await this.#enter(() => takeLock(this.#backend, this.#tokens, pageId));
  }

  /** Takes one's own lock over, where that is what is in the way. */
  async takeOver(own: OwnLock): Promise<void> {
    await this.#enter(() => takeOver(this.#backend, this.#tokens, this.#path, own));
  }

  change(doc: Text): void {
    if (doc === this.#doc) return;
    this.#doc = doc;
    this.#queue?.change(() => this.text);
  }

  /** Whether everything that is unsaved now is in the journal; where it is not, `journal` says so. */
  async flush(): Promise<boolean> {
    return (await this.#queue?.flush()) ?? true;
  }

  wake(): void {
    void this.#lockSession?.wake();
  }

  /**
   * Saves; null when it failed (`saving` says why) or when somebody else's revision is in the way (`conflict`). One may
   * go on typing: what is saved is the text as it was sent. Where one goes on to write, the lock is kept.
   */
  save(then: Then = "read"): Promise<Saved | null> {
    const saving = this.#save(then === "write");
    this.#underWay = Promise.all([this.#underWay, saving]);
    return saving;
  }

  async #save(keepLock: boolean): Promise<Saved | null> {
    const session = this.#lockSession;
    if (session === null || this.saving.kind === "saving") return null;
    this.saving = { kind: "saving" };
    await this.#queue?.hold();
    try {
      const put = session.state.kind === "lost" ? await this.#putAnew(keepLock) : await this.#putOrPutAnew(keepLock);
      if (put === null) {
        this.#backToWriting({ kind: "idle" });
        return null;
      }
      await this.#left.forgetDrafts(this.#journalTab);
      if (keepLock || !put.doc.eq(this.#doc)) return await this.#goOn(put, keepLock);
      this.#end();
      this.#queue?.close();
      this.#baseDoc = this.#doc;
      this.saving = { kind: "idle" };
      return { ...put.saved, goesOn: false };
    } catch (error) {
      this.#backToWriting({ kind: "failed", error, own: await this.ownBehind(error) });
      return null;
    }
  }

  /**
   * Tries to get a lost lock back; `own` takes it from another tab of one's own. False when somebody has saved in the
   * meantime: `conflict` holds what.
   */
  async regainLock(own: OwnLock | null = null): Promise<boolean> {
    if (own === null) await this.#reacquire();
    else this.#hold(own.pageId, await this.#backend.locks.acquire(own.pageId, true));
    if (own?.isDraft) this.#tokens.writeDraft(this.#path, own.pageId);
    // What kept a save from being done is out of the way.
    if (this.saving.kind === "failed" && this.saving.own !== null) this.saving = { kind: "idle" };
    await this.#compareWithNewest();
    return this.conflict === null;
  }

  /** One's own lock, where that is what an error tells of: it can be taken over. */
  ownBehind(error: unknown): Promise<OwnLock | null> {
    return ownBehind(this.#backend, this.#pageId, error);
  }

  /** The person has seen the other revision and wants to save on top of it. */
  acceptConflict(): void {
    if (this.conflict === null) return;
    this.base = this.conflict;
    this.#baseDoc = docOf(this.conflict.text);
    this.conflict = null;
    this.amend = false;
    this.saving = { kind: "idle" };
  }

  /** Takes an offered text up, if `put` can bring it into the editor; it is forgotten once it is safe under this editing. */
  takeUp(entry: Offer, put: () => boolean): Promise<boolean> {
    this.#takenSince = Math.min(this.#takenSince, entry.base_revision ?? Infinity);
    return this.#left.takeUp(entry, put, () => this.flush(), this.base?.text ?? "");
  }

  /** Taking up was a mistake: the text is on offer again, as it was. */
  putBack(entry: Offer): Promise<void> {
    return this.#left.putBack(entry);
  }

  /** What is in the editor is on offer when `replace` brings another text there. */
  setAside(replace: () => void): Promise<void> {
    const place = { page_id: this.#pageId, base_revision: this.base?.revision ?? null };
    return this.#left.setAside(place, () => this.text, replace);
  }

  discardOffer(entry: Offer): Promise<void> {
    return this.#left.discard(entry, this.base?.text ?? "");
  }

  /** Ends the editing and forgets what was written in it. */
  async discard(): Promise<void> {
    await Promise.all([this.#giveUp(), this.#forget()]);
  }

  async #forget(): Promise<void> {
    // What is on its way must have come before it can be forgotten.
    await this.#queue?.hold();
    this.#queue?.close();
    await this.#left.forgetOwn(this.#pageId, this.#journalTab);
  }

  /** Ends the editing; unsaved text stays in the journal. Throws if the lock could not be given back. */
  async leave(): Promise<void> {
    await this.flush();
    this.#queue?.close();
    await this.#giveUp();
  }

  /** Gives the lock back; one that is lost needs no giving back. Begun at once: whoever leaves before the server has answered leaves no lock behind. */
  async #giveUp(): Promise<void> {
    const released = this.#lockSession?.release();
    this.#end();
    await released?.catch(throwUnlessRefused);
  }

  /** What is under way has been done, or has failed: the writing of the text, and a save. */
  async settled(): Promise<void> {
    await Promise.all([this.flush(), this.#underWay]);
  }

  /** Whether everything that is unsaved is in the journal. */
  get kept(): boolean {
    return !this.dirty || this.journal.kind === "kept";
  }

  /**
   * The window or tab goes, and the lock is given back. A window waits for us, a browser's tab does not. A tab may be
   * reloaded, and come back to a draft's files: `hasFiles` leaves the lock to run out.
   */
  async close(hasFiles = false): Promise<Kept> {
    if (this.#backend.desktop === null) {
      const written = this.flush();
      if (this.#lockSession === null) giveBackUnusedOnClose(this.#backend.locks, this.#tokens, this.#path);
      else if (!hasFiles) this.#lockSession.releaseOnClose();
      await written;
    } else {
      // A save that is under way keeps the text as well.
      await this.settled();
      await within(RELEASE_MS, this.#giveLockBack());
    }
    return this.kept ? "kept" : "unkept";
  }

  async #giveLockBack(): Promise<void> {
    if (this.#lockSession === null) return await this.#giveBackUnused();
    try {
      await this.#lockSession?.release();
    } catch {
      // It ends by itself, and nobody is here any more who could be told.
    }
  }

  /** Stops all timers; the lock is left to run out if nobody has given it back. */
  dispose(): void {
    this.#disposed = true;
    if (this.phase.kind === "failed") void this.#giveBackUnused();
    this.#stopHearing();
    this.#lockSession?.end();
    this.#queue?.close();
  }

  async #enter(open: () => Promise<Opening>): Promise<void> {
    this.phase = { kind: "opening" };
    const opened = open();
    try {
      const { journal, users } = this.#backend;
      const [opening, entries, me] = await Promise.all([opened, journal.list(this.#path), users.me()]);
      const base = opening.kind === "ready" ? opening.base : null;
      const offers = await offersOf(journal, entries, base?.text ?? "");
      if (this.#disposed) return await this.#giveBackUnused();
      this.me = me.name;
      if (opening.kind === "ready") return this.#begin(opening, entries, offers);
      this.#left.offers = offers;
      this.phase = opening;
    } catch (error) {
      // A lock that is still on its way comes to this editing, too.
      await opened.catch(() => undefined);
      if (this.#disposed) return await this.#giveBackUnused();
      this.phase = { kind: "failed", error };
    }
  }

  #giveBackUnused(): Promise<void> {
    return giveBackUnused(this.#backend, this.#tokens, this.#path);
  }

  #begin(
    { pageId, lock, base }: Extract<Opening, { kind: "ready" }>,
    entries: readonly JournalEntry[],
    offers: Offer[],
  ): void {
    this.base = base;
    this.#doc = this.#baseDoc = docOf(base?.text ?? newText(this.#path));
    this.#left.offers = offers;
    const place = journalPlace(entries, offers, pageId, this.#tokens.tab, uuidV4);
    this.#journalTab = place.tab;
    this.#queue = this.#newQueue(place.seq);
    this.#hold(pageId, lock);
    this.phase = { kind: "editing" };
    this.#stopHearing = hearOfLock(this.#backend.events, () => this.#pageId, (news) => this.#hear(news), (connected) => {
      this.connected = connected;
      if (connected) this.wake();
    });
  }

  async #hear({ user, expire }: LockNews): Promise<void> {
    // A save gives the lock back, and may take it again.
    await this.#underWay;
    const isNews = (await this.#lockSession?.hear(expire)) ?? false;
    if (isNews && this.lock.kind !== "held") this.holder = user;
  }

  #lockIs(state: LockState): void {
    this.lock = state;
    if (state.kind === "held") this.holder = null;
  }

  #hold(pageId: string, lock: PageLock): void {
    if (this.#disposed) {
      // The person was gone before the lock came. Nobody prolongs it: where it can't be given back, it ends by itself.
      this.#backend.locks.release(pageId, lock.token).catch(() => {});
      return;
    }
    this.#lockSession?.end();
    this.#tokens.remove(this.#pageId);
    this.#pageId = pageId;
    this.#tokens.write(pageId, lock);
    this.#lockSession = new LockSession({
      pageId,
      lock,
      locks: this.#backend.locks,
      onToken: (next) => this.#tokens.write(pageId, next),
      onState: (state) => this.#lockIs(state),
    });
    this.#lockIs(this.#lockSession.state);
  }

  #newQueue(seq: number): JournalQueue {
    return new JournalQueue(
      {
        put: (source, seq) => this.#keep(source, seq),
        onSaved: (revision) => this.#startFrom(revision),
        onState: (state) => (this.journal = state),
      },
      seq,
    );
  }

  /** Nothing is unsaved of a text that is as it was: it would be offered when the page has gone on. */
  #keep(source: string, seq: number): Promise<void> {
    // After a save of which nobody knows, the journal tells what it came to.
    const unchanged = source === (this.base?.text ?? newText(this.#path));
    if (unchanged && this.saving.kind !== "failed") return this.#left.forgetOwn(this.#pageId, this.#journalTab);
    const entry = { path: this.#path, base_revision: this.base?.revision ?? null, source, seq };
    return this.#backend.journal.put(this.#pageId, this.#journalTab, entry);
  }

  /** The editing goes on from what was saved. A save that has given the lock back takes it again. */
  async #goOn({ saved, doc, text }: Put, keptLock: boolean): Promise<Saved> {
    this.base = { text, revision: saved.revision, version: versionOf(saved.etag), author: this.me ?? "" };
    this.#baseDoc = doc;
    this.amend = false;
    this.#takenSince = Infinity;
    this.#tokens.removeDraft(this.#path);
    if (!keptLock) await this.regainLock().catch((error: unknown) => this.#lockSession?.lose(error));
    this.#backToWriting({ kind: "idle" });
    return { ...saved, goesOn: true };
  }

  async #reacquire(): Promise<void> {
    try {
      await this.#lockSession?.reacquire();
    } catch (error) {
      if (hasCode(error, "locked")) this.holder = error.details.userName ?? null;
      // A draft that is gone is begun anew.
      if (this.base !== null || !hasCode(error, "not_found", "page_not_found", "gone")) throw error;
      await this.#beginAgain();
    }
  }

  /** A lock may have been lost without anybody having noticed; then the save is the moment to notice. */
  async #putOrPutAnew(keepLock: boolean): Promise<Put | null> {
    try {
      return await this.#put(keepLock);
    } catch (error) {
      // A draft goes with its lock.
      const draftIsGone = this.base === null && hasCode(error, "not_found", "page_not_found", "gone");
      if (!draftIsGone && !hasCode(error, "lock_invalid", "lock_required")) throw error;
      this.#lockSession?.lose(error);
      return await this.#putAnew(keepLock);
    }
  }

  /** With a new lock, if nobody has saved anything in the meantime; null if somebody has. */
  async #putAnew(keepLock: boolean): Promise<Put | null> {
    return (await this.regainLock()) ? this.#put(keepLock) : null;
  }

  async #put(keepLock: boolean): Promise<Put> {
    const session = this.#lockSession;
    if (session === null) throw new Error("BUG: a page is saved before it was opened");
    const amend = this.amend && this.mayAmend;
    return session.use(async (token) => {
      const [doc, text] = [this.#doc, this.text];
      const saved = await this.#backend.pages.save(this.#pageId, text, { token, tab: this.#journalTab, amend, keepLock });
      return { saved, doc, text };
    });
  }

  #backToWriting(state: SaveState): void {
    this.saving = state;
    this.#queue?.resume();
    if (this.dirty) this.#queue?.change(() => this.text);
  }

  /** The draft is gone. Its path may be free, or somebody has written a page there. */
  async #beginAgain(): Promise<void> {
    const before = this.#pageId;
    const opening = await beginDraft(this.#backend, this.#tokens, this.#path);
    if (opening.kind === "ready") {
      this.#hold(opening.pageId, opening.lock);
      if (opening.pageId !== before) this.#left.ranOut(before);
      return;
    }
    if (opening.kind !== "taken" || !hasCode(opening.error, "path_taken")) {
      throw opening.kind === "taken" ? opening.error : new Error(`BUG: a draft cannot begin as "${opening.kind}"`);
    }
    const { id } = await this.#backend.pages.resolve(this.#path);
    this.#hold(id, await this.#backend.locks.acquire(id));
    this.#left.ranOut(before);
  }

  async #compareWithNewest(): Promise<void> {
    let newest: Base;
    try {
      newest = await readBase(this.#backend, this.#pageId);
    } catch (error) {
      if (this.base === null && hasCode(error, "draft")) return;
      throw error;
    }
    if (newest.version === this.base?.version) return;
    if (newest.text !== this.text) {
      this.conflict = newest;
      return;
    }
    // Our own save whose answer was lost: nothing stands between, and nothing is unsaved.
    this.base = newest;
    this.#baseDoc = this.#doc;
  }

  /** The answer to a save was lost: what it saved is what the text starts from now. */
  async #startFrom(revision: number): Promise<void> {
    if (this.base !== null && this.base.revision >= revision) return;
    this.base = await readBase(this.#backend, this.#pageId, revision);
    this.#baseDoc = docOf(this.base.text);
  }

  #end(): void {
    this.#lockSession?.end();
    this.#tokens.remove(this.#pageId);
    this.#tokens.removeDraft(this.#path);
  }
}
