// An editing session: the lock, the autosave entry, the text and its saving, as reactive state. The view draws it.
import { Text } from "@codemirror/state";
import type { Backend, AutosaveEntry, PageLock } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { FlushResult } from "../../api/host";
import { withTimeout } from "../../api/transport/timeout";
import type { LockTokens } from "../../editing/locks/lock-tokens";
import { type Offer, offersOf } from "../../editing/autosave-offers";
import { uuidV4 } from "../../editing/locks/tab-id";
import { digestOf } from "../../editing/text-digest";
import type { DiscardedEdit } from "../autosave/discard";
import { type Beginning, headingOf } from "../../templates";
import { autosaveSlot } from "../autosave/autosave-slot";
import { docOf } from "../doc";
import { AutosaveQueue, type AutosaveState } from "../autosave/autosave-queue";
import { AutosaveEntries } from "../autosave/autosave-entries.svelte";
import { onLockEvents, type LockHolder } from "./lock-events";
import { LockSession, throwUnlessRefused, type LockState } from "./lock-session";
import { type Base, beginDraft, openPage, type FormerPage, type Opening, ownLockBehind, type OwnLock, type Phase, readBase, takeLock, takeOver, versionOf } from "./open-page";
import type { Put, Saved, SaveState, Then } from "../saving/saving";
import { releaseUnused, releaseUnusedOnClose } from "./unused-lock";

/** The longest wait of a closing window for the release of its lock. */
const RELEASE_MS = 1_000;

export interface EditSessionParts {
  backend: Backend;
  tokens: LockTokens;
  path: string;
  /** True if the address was typed, or opened from elsewhere. */
  isTyped?: boolean;
  /** The text of a new page; by default its heading. */
  begin?: () => Promise<Beginning>;
}

export class EditSession {
  phase = $state.raw<Phase>({ kind: "opening" });
  lock = $state.raw<LockState>({ kind: "ended" });
  /** The user who has taken the lost lock, if known. */
  holder = $state.raw<string | null>(null);
  autosave = $state.raw<AutosaveState>({ kind: "saved" });
  /** True if the server is reachable, according to its events. */
  connected = $state(true);
  saving = $state.raw<SaveState>({ kind: "idle" });
  /** The revision that the text is based on; null for a new page. */
  base = $state.raw<Base | null>(null);
  /** A revision that another user saved while the lock was lost. */
  conflict = $state.raw<Base | null>(null);
  /** True if the next save overwrites the newest revision. */
  amend = $state(false);
  me = $state.raw<string | null>(null);
  #doc = $state.raw(Text.empty);
  #baseDoc = $state.raw(Text.empty);
  readonly dirty = $derived(!this.#doc.eq(this.#baseDoc));
  readonly length = $derived(this.#doc.length);
  /** Only the user's own newest revision may be overwritten. */
  readonly mayAmend = $derived(this.base !== null && this.conflict === null && this.base.author === this.me);

  readonly #backend: Backend;
  readonly #tokens: LockTokens;
  readonly #path: string;
  readonly #isTyped: boolean;
  readonly #beginPage: () => Promise<Beginning>;
  #beginning: Beginning;
  #pageId = $state("");
  #lockSession: LockSession | null = null;
  #stopLockEvents = () => {};
  #queue: AutosaveQueue | null = null;
  #autosaveTab = "";
  readonly #entries: AutosaveEntries;
  #disposed = false;
  /** The digest of the served text on which the editor's text is based; null if parts of it may be older. */
  #read: string | null = null;
  /** The oldest revision on which a restored text is based. */
  #oldestTakenBase = Infinity;
  /** The pending save; never rejects. */
  #pendingSave: Promise<unknown> = Promise.resolve();

  constructor({ backend, tokens, path, isTyped = false, begin }: EditSessionParts) {
    this.#backend = backend;
    this.#tokens = tokens;
    this.#path = path;
    this.#isTyped = isTyped;
    this.#beginning = headingOf(path);
    this.#beginPage = begin ?? (() => Promise.resolve(this.#beginning));
    this.#entries = new AutosaveEntries(backend.autosave, path);
  }

  /** The page or draft being written. A draft that is gone is replaced by a new one. */
  get pageId(): string {
    return this.#pageId;
  }

  /** The user's own lock, if it has replaced the lost one. */
  get ownLock(): OwnLock | null {
    return this.holder !== null && this.holder === this.me ? { pageId: this.#pageId, isDraft: this.base === null } : null;
  }

  /** The line break of this page. */
  get lineBreak(): string {
    return this.base?.text.includes("\r\n") ? "\r\n" : "\n";
  }

  /** The text in the form in which it is saved; unchanged parts are kept byte for byte. */
  get text(): string {
    if (this.base !== null && !this.dirty) return this.base.text;
    return this.#doc.sliceString(0, this.#doc.length, this.lineBreak);
  }

  /** The text with which a new page begins. */
  get beginning(): Beginning {
    return this.#beginning;
  }

  /** The data that a discard would remove now. */
  get discardable(): DiscardedEdit {
    const revision = this.base?.revision ?? null;
    const baseRevision = revision === null ? null : Math.min(revision, this.#oldestTakenBase);
    return { pageId: this.#pageId, text: this.text, dirty: this.dirty, revision, baseRevision };
  }

  /** Earlier unsaved texts that the user has not decided about. */
  get offers(): readonly Offer[] {
    return this.#entries.offers;
  }

  get doc(): Text {
    return this.#doc;
  }

  /** Opens the session; `former` states which former pages the user already knows of. */
  async open(former: FormerPage = "nothing"): Promise<void> {
    const isTyped = this.#isTyped && former === "nothing";
    await this.#enter(() => openPage(this.#backend, this.#tokens, this.#path, { former, isTyped }));
  }

  /** Begins the page that does not exist at the typed address. */
  async begin(): Promise<void> {
    await this.open("deleted");
  }

  /** Tries to lock the page from here, if no token was found. */
  async takeLock(pageId: string): Promise<void> {
    await this.#enter(() => takeLock(this.#backend, this.#tokens, pageId));
  }

  /** Takes over the user's own lock that is in the way. */
  async takeOver(own: OwnLock): Promise<void> {
    await this.#enter(() => takeOver(this.#backend, this.#tokens, this.#path, own));
  }

  change(doc: Text): void {
    if (doc === this.#doc) return;
    this.#doc = doc;
    this.#queue?.change(() => this.text);
  }

  /** Writes all unsaved text to its autosave entry; false if that failed (`autosave` has the state). */
  async flush(): Promise<boolean> {
    return (await this.#queue?.flush()) ?? true;
  }

  wake(): void {
    void this.#lockSession?.wake();
  }

  /**
   * Saves; null if it failed (`saving` has the reason) or another user's revision is in the way (`conflict`). Typing
   * may continue: the text is saved as it was sent. If the editing continues, the lock is kept.
   */
  save(then: Then = "read"): Promise<Saved | null> {
    const saving = this.#save(then === "write");
    this.#pendingSave = Promise.all([this.#pendingSave, saving]);
    return saving;
  }

  async #save(keepLock: boolean): Promise<Saved | null> {
    const session = this.#lockSession;
    if (session === null || this.saving.kind === "saving") return null;
    this.saving = { kind: "saving" };
    await this.#queue?.hold();
    try {
      const put = session.state.kind === "lost" ? await this.#putWithNewLock(keepLock) : await this.#putOrRelock(keepLock);
      if (put === null) {
        this.#backToWriting({ kind: "idle" });
        return null;
      }
      await this.#entries.forgetDrafts(this.#autosaveTab);
      if (keepLock || !put.doc.eq(this.#doc)) return await this.#continueFrom(put, keepLock);
      this.#end();
      this.#queue?.close();
      this.#baseDoc = this.#doc;
      this.saving = { kind: "idle" };
      return { ...put.saved, continues: false };
    } catch (error) {
      this.#backToWriting({ kind: "failed", error, own: await this.ownLockBehind(error) });
      return null;
    }
  }

  /**
   * Tries to regain a lost lock; `own` takes it from the user's other tab. False if a revision was saved in the
   * meantime: `conflict` holds it.
   */
  async regainLock(own: OwnLock | null = null): Promise<boolean> {
    if (own === null) await this.#reacquire();
    else this.#hold(own.pageId, await this.#backend.locks.acquire(own.pageId, true));
    if (own?.isDraft) this.#tokens.writeDraft(this.#path, own.pageId);
    // The obstacle to the save is gone.
    if (this.saving.kind === "failed" && this.saving.own !== null) this.saving = { kind: "idle" };
    await this.#compareWithNewest();
    return this.conflict === null;
  }

  /** The user's own lock, if the error is about one that can be taken over. */
  ownLockBehind(error: unknown): Promise<OwnLock | null> {
    return ownLockBehind(this.#backend, this.#pageId, error);
  }

  /** Accepts the other revision: the next save is based on it. */
  acceptConflict(): void {
    if (this.conflict === null) return;
    this.base = this.conflict;
    this.#read = null;
    this.#baseDoc = docOf(this.conflict.text);
    this.conflict = null;
    this.amend = false;
    this.saving = { kind: "idle" };
  }

  /**
   * Restores an offered text, if `put` can bring it into the editor; the offer is removed once the text is in this
   * session's autosave entry.
   */
  restoreOffer(entry: Offer, put: () => boolean): Promise<boolean> {
    this.#oldestTakenBase = Math.min(this.#oldestTakenBase, entry.base_revision ?? Infinity);
    this.#read = null;
    return this.#entries.restoreOffer(entry, put, () => this.flush(), this.base?.text ?? "");
  }

  /** Undoes a restore: the text is on offer again, as it was. */
  putBack(entry: Offer): Promise<void> {
    return this.#entries.putBack(entry);
  }

  /** Offers the editor's text when `replace` brings another text there. */
  setAside(replace: () => void): Promise<void> {
    const place = { page_id: this.#pageId, base_revision: this.base?.revision ?? null };
    return this.#entries.setAside(place, () => this.text, replace);
  }

  discardOffer(entry: Offer): Promise<void> {
    return this.#entries.discard(entry, this.base?.text ?? "");
  }

  /** Ends the session and deletes its unsaved text. */
  async discard(): Promise<void> {
    await Promise.all([this.#release(), this.#forget()]);
  }

  async #forget(): Promise<void> {
    // Pending writes must have arrived before they can be deleted.
    await this.#queue?.hold();
    this.#queue?.close();
    await this.#entries.forgetOwn(this.#pageId, this.#autosaveTab);
  }

  /** Ends the session; unsaved text stays in its autosave entry. Throws if the lock could not be released. */
  async leave(): Promise<void> {
    await this.flush();
    this.#queue?.close();
    await this.#release();
  }

  /**
   * Releases the lock; a lost one needs no release. Starts at once, so that a user who leaves before the server's
   * answer leaves no lock behind.
   */
  async #release(): Promise<void> {
    const released = this.#lockSession?.release();
    this.#end();
    await released?.catch(throwUnlessRefused);
  }

  /** Waits for the pending write of the text and a pending save, whether they succeed or fail. */
  async settled(): Promise<void> {
    await Promise.all([this.flush(), this.#pendingSave]);
  }

  /** True if all unsaved text is in its autosave entry. */
  get isAutosaved(): boolean {
    return !this.dirty || this.autosave.kind === "saved";
  }

  /**
   * Closes the window or tab, and releases the lock. A window waits for this, a browser's tab does not. A tab may be
   * reloaded, and return to a draft's files: `hasFiles` lets the lock expire instead.
   */
  async close(hasFiles = false): Promise<FlushResult> {
    if (this.#backend.desktop === null) {
      const written = this.flush();
      if (this.#lockSession === null) releaseUnusedOnClose(this.#backend.locks, this.#tokens, this.#path);
      else if (!hasFiles) this.#lockSession.releaseOnClose();
      await written;
    } else {
      // A pending save keeps the text as well.
      await this.settled();
      await withTimeout(RELEASE_MS, this.#tryRelease());
    }
    return this.isAutosaved ? "saved" : "unsaved";
  }

  async #tryRelease(): Promise<void> {
    if (this.#lockSession === null) return await this.#releaseUnused();
    try {
      await this.#lockSession?.release();
    } catch {
      // The lock expires by itself, and there is no user to notify any more.
    }
  }

  /** Stops all timers; an unreleased lock expires. */
  dispose(): void {
    this.#disposed = true;
    if (this.phase.kind === "failed") void this.#releaseUnused();
    this.#stopLockEvents();
    this.#lockSession?.end();
    this.#queue?.close();
  }

  async #enter(open: () => Promise<Opening>): Promise<void> {
    this.phase = { kind: "opening" };
    const opened = open();
    try {
      const { autosave, users } = this.#backend;
      const [opening, entries, me] = await Promise.all([opened, autosave.list(this.#path), users.me()]);
      const base = opening.kind === "ready" ? opening.base : null;
      if (opening.kind === "ready" && base === null) this.#beginning = await this.#beginPage();
      const offers = await offersOf(autosave, entries, base?.text ?? "");
      if (this.#disposed) return await this.#releaseUnused();
      this.me = me.name;
      if (opening.kind === "ready") return this.#begin(opening, entries, offers);
      this.#entries.offers = offers;
      this.phase = opening;
    } catch (error) {
      // A lock that is still being acquired also belongs to this session.
      await opened.catch(() => undefined);
      if (this.#disposed) return await this.#releaseUnused();
      this.phase = { kind: "failed", error };
    }
  }

  #releaseUnused(): Promise<void> {
    return releaseUnused(this.#backend, this.#tokens, this.#path);
  }

  #begin(
    { pageId, lock, base }: Extract<Opening, { kind: "ready" }>,
    entries: readonly AutosaveEntry[],
    offers: Offer[],
  ): void {
    this.base = base;
    this.#read = base?.digest ?? null;
    this.#doc = this.#baseDoc = docOf(base?.text ?? this.#beginning.text);
    this.#entries.offers = offers;
    const place = autosaveSlot(entries, offers, pageId, this.#tokens.tab, uuidV4);
    this.#autosaveTab = place.tab;
    this.#queue = this.#newQueue(place.seq);
    this.#hold(pageId, lock);
    this.phase = { kind: "editing" };
    this.#stopLockEvents = onLockEvents(this.#backend.events, () => this.#pageId, (holder) => this.#handleLockEvent(holder), (connected) => {
      this.connected = connected;
      if (connected) this.wake();
    });
  }

  async #handleLockEvent({ user, expire }: LockHolder): Promise<void> {
    // A save releases the lock, and may take it again.
    await this.#pendingSave;
    const isForeign = (await this.#lockSession?.handleEvent(expire)) ?? false;
    if (isForeign && this.lock.kind !== "held") this.holder = user;
  }

  #setLock(state: LockState): void {
    this.lock = state;
    if (state.kind === "held") this.holder = null;
  }

  #hold(pageId: string, lock: PageLock): void {
    if (this.#disposed) {
      // The user left before the lock arrived. It is not renewed: if it cannot be released, it expires.
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
      onState: (state) => this.#setLock(state),
    });
    this.#setLock(this.#lockSession.state);
  }

  #newQueue(seq: number): AutosaveQueue {
    return new AutosaveQueue(
      {
        put: (source, seq) => this.#putAutosave(source, seq),
        onSaved: (revision) => this.#rebase(revision),
        onState: (state) => (this.autosave = state),
      },
      seq,
    );
  }

  /** An unchanged text has no unsaved part: it would be offered once the page has newer revisions. */
  #putAutosave(source: string, seq: number): Promise<void> {
    // After a save with an unknown outcome, the autosave entry reveals it.
    const unchanged = source === (this.base?.text ?? this.#beginning.text);
    if (unchanged && this.saving.kind !== "failed") return this.#entries.forgetOwn(this.#pageId, this.#autosaveTab);
    const entry = { path: this.#path, base_revision: this.base?.revision ?? null, source, seq };
    return this.#backend.autosave.put(this.#pageId, this.#autosaveTab, entry);
  }

  /** Continues from the saved text. A save that has released the lock takes it again. */
  async #continueFrom({ saved, doc, text }: Put, keptLock: boolean): Promise<Saved> {
    const digest = digestOf(saved.etag);
    this.base = { text, revision: saved.revision, version: versionOf(saved.etag), digest, author: this.me ?? "" };
    this.#read = saved.as_sent ? digest : null;
    this.#baseDoc = doc;
    this.amend = false;
    this.#oldestTakenBase = Infinity;
    this.#tokens.removeDraft(this.#path);
    if (!keptLock) await this.regainLock().catch((error: unknown) => this.#lockSession?.lose(error));
    this.#backToWriting({ kind: "idle" });
    return { ...saved, continues: true };
  }

  async #reacquire(): Promise<void> {
    try {
      await this.#lockSession?.reacquire();
    } catch (error) {
      if (hasCode(error, "locked")) this.holder = error.details.userName ?? null;
      // A draft that is gone is created again.
      if (this.base !== null || !hasCode(error, "not_found", "page_not_found", "gone")) throw error;
      await this.#replaceDraft();
    }
  }

  /** Saves; a lock may have been lost unnoticed, which the save then reveals. */
  async #putOrRelock(keepLock: boolean): Promise<Put | null> {
    try {
      return await this.#put(keepLock);
    } catch (error) {
      // A draft ends with its lock.
      const isDraftGone = this.base === null && hasCode(error, "not_found", "page_not_found", "gone");
      if (!isDraftGone && !hasCode(error, "lock_invalid", "lock_required")) throw error;
      this.#lockSession?.lose(error);
      return await this.#putWithNewLock(keepLock);
    }
  }

  /** Saves with a new lock, if no revision was saved in the meantime; null if one was. */
  async #putWithNewLock(keepLock: boolean): Promise<Put | null> {
    return (await this.regainLock()) ? this.#put(keepLock) : null;
  }

  async #put(keepLock: boolean): Promise<Put> {
    const session = this.#lockSession;
    if (session === null) throw new Error("BUG: a page is saved before it is opened");
    const amend = this.amend && this.mayAmend;
    return session.use(async (token) => {
      const [doc, text] = [this.#doc, this.text];
      const read = this.#read === null ? {} : { read: this.#read };
      const saved = await this.#backend.pages.save(this.#pageId, text, { token, tab: this.#autosaveTab, amend, keepLock, ...read });
      return { saved, doc, text };
    });
  }

  #backToWriting(state: SaveState): void {
    this.saving = state;
    this.#queue?.resume();
    if (this.dirty) this.#queue?.change(() => this.text);
  }

  /** Handles a draft that is gone. Its path may be free, or may have a page by now. */
  async #replaceDraft(): Promise<void> {
    const before = this.#pageId;
    const opening = await beginDraft(this.#backend, this.#tokens, this.#path);
    if (opening.kind === "ready") {
      this.#hold(opening.pageId, opening.lock);
      if (opening.pageId !== before) this.#entries.recordExpiredDraft(before);
      return;
    }
    if (opening.kind !== "taken" || !hasCode(opening.error, "path_taken")) {
      throw opening.kind === "taken" ? opening.error : new Error(`BUG: a draft cannot begin as "${opening.kind}"`);
    }
    const { id } = await this.#backend.pages.resolve(this.#path);
    this.#hold(id, await this.#backend.locks.acquire(id));
    this.#entries.recordExpiredDraft(before);
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
    // The session's own save, whose answer was lost: there is no other revision in between, and nothing is unsaved.
    this.base = newest;
    this.#read = newest.digest;
    this.#baseDoc = this.#doc;
  }

  /** Handles a save whose answer was lost: the text is now based on the revision that it saved. */
  async #rebase(revision: number): Promise<void> {
    if (this.base !== null && this.base.revision >= revision) return;
    this.base = await readBase(this.#backend, this.#pageId, revision);
    this.#read = null;
    this.#baseDoc = docOf(this.base.text);
    // What was reported as failed has succeeded.
    if (this.saving.kind === "failed") this.saving = { kind: "idle" };
  }

  #end(): void {
    this.#lockSession?.end();
    this.#tokens.remove(this.#pageId);
    this.#tokens.removeDraft(this.#path);
  }
}
