// The lock that an editor holds while it is open (docs/spec/wiki.md, Editing): prolonged long before its end, each time with a new
// token; when that fails, it says truthfully how things stand, and goes on trying as long as there is a hope.
import type { LocksApi, PageLock } from "../api/backend";
import { ApiError, hasCode } from "../api/errors";

export type LockState =
  /** Ours until `expire` (local clock, ms) at least. */
  | { kind: "held"; expire: number }
  /** Renewing fails for a reason that may pass; the lock is ours until `expire`. */
  | { kind: "unsure"; expire: number; error: unknown }
  /** Not ours any more: refused by the server, or run out while nobody answered. */
  | { kind: "lost"; error: unknown }
  | { kind: "ended" };

/** Of the time that is left, how much may pass before the lock is prolonged: 2 of the 5 minutes. */
const RENEW_AFTER = 0.4;
const SHORTEST_MS = 5_000;
const LONGEST_TTL_MS = 300_000;
/** How long an answer may take after the lock's end before it is taken for lost: after a sleep it comes late. */
const LATE_MS = 3_000;
const RETRY_MS = [2_000, 4_000, 8_000, 15_000, 30_000] as const;

export interface LockSessionOptions {
  pageId: string;
  lock: PageLock;
  locks: LocksApi;
  /** Each new token, to be kept where a reload finds it. */
  onToken: (lock: PageLock) => void;
  onState: (state: LockState) => void;
}

export class LockSession {
  readonly #pageId: string;
  readonly #locks: LocksApi;
  readonly #onToken: (lock: PageLock) => void;
  readonly #onState: (state: LockState) => void;
  #token: string;
  #state: LockState;
  /** The ends of all locks that we were given: by them, what the server tells of our own doing is known. */
  readonly #granted = new Set<number>();
  #renewAt = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Watches for the lock's end, should no answer come at all. */
  #watch: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  /** Whatever uses the token happens one after another: a renewal ends the token that a save would carry. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ pageId, lock, locks, onToken, onState }: LockSessionOptions) {
    this.#pageId = pageId;
    this.#locks = locks;
    this.#onToken = onToken;
    this.#onState = onState;
    this.#token = lock.token;
    this.#granted.add(Date.parse(lock.expire));
    this.#state = { kind: "held", expire: localExpiry(lock) };
    this.#planRenewal(this.#state.expire);
    this.#watchOver(this.#state.expire - Date.now());
  }

  get state(): LockState {
    return this.#state;
  }

  /** Does something with the token, while no renewal changes it. */
  use<T>(work: (token: string) => Promise<T>): Promise<T> {
    return this.#inTurn(() => work(this.#token));
  }

  /** After a sleep or a lost network: a renewal that is due happens now. */
  async wake(): Promise<void> {
    if (this.#state.kind === "unsure" || (this.#state.kind === "held" && Date.now() >= this.#renewAt)) await this.#renew();
  }

  /**
   * The server tells that the page is locked until `expire`, or (null) that it may not be any more. Whether that is not
   * our own doing; then a renewal shows how things stand.
   */
  async hear(expire: string | null): Promise<boolean> {
    // The answer to what we have asked may come later than the news of it.
    await this.#turn;
    if (expire !== null && this.#granted.has(Date.parse(expire))) return false;
    if (this.#isOurs()) await this.#renew();
    return true;
  }

  /** Tries to lock the page anew after the lock was lost. Throws what the server says. */
  async reacquire(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#state.kind === "ended") return;
      const lock = await this.#locks.acquire(this.#pageId);
      this.#take(lock);
      // The page was left while the answer was on its way.
      if (this.#hasEnded()) await this.#locks.release(this.#pageId, lock.token);
    });
  }

  /** Somebody who used the token was told that it does not count any more. */
  lose(error: unknown): void {
    if (this.#state.kind === "ended") return;
    clearTimeout(this.#timer);
    this.#set({ kind: "lost", error });
  }

  /** Gives the lock back; a draft goes with it. Throws if the server could not be told. */
  async release(): Promise<void> {
    const held = this.#isOurs();
    this.end();
    await this.#inTurn(async () => {
      if (held) await this.#locks.release(this.#pageId, this.#token);
    });
  }

  /** For a page that is being closed: nothing can be waited for any more. */
  releaseOnClose(): void {
    if (this.#isOurs()) this.#locks.releaseOnClose(this.#pageId, this.#token);
  }

  /** The lock is somebody else's matter now (a save has released it). */
  end(): void {
    clearTimeout(this.#timer);
    this.#set({ kind: "ended" });
  }

  #hasEnded(): boolean {
    return this.#state.kind === "ended";
  }

  #isOurs(): boolean {
    return this.#state.kind === "held" || this.#state.kind === "unsure";
  }

  async #renew(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#inTurn(async () => {
      if (this.#state.kind === "ended") return;
      this.#asking = true;
      try {
        this.#take(await this.#locks.renew(this.#pageId, this.#token));
      } catch (error) {
        this.#failed(error);
      } finally {
        this.#asking = false;
      }
    });
  }

  #take(lock: PageLock): void {
    this.#token = lock.token;
    this.#granted.add(Date.parse(lock.expire));
    // The page was left while the answer was on its way: whoever releases needs the token, nobody else does.
    if (this.#state.kind === "ended") return;
    this.#failures = 0;
    this.#onToken(lock);
    const expire = localExpiry(lock);
    this.#set({ kind: "held", expire });
    this.#planRenewal(expire);
  }

  #failed(error: unknown): void {
    if (this.#state.kind === "ended") return;
    if (isRefusal(error)) {
      this.lose(error);
      return;
    }
    const expire = "expire" in this.#state ? this.#state.expire : 0;
    this.#set(Date.now() < expire ? { kind: "unsure", expire, error } : { kind: "lost", error });
    // Even after the end: the server lets a token count a little longer after a sleep.
    this.#plan(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? SHORTEST_MS);
    this.#failures += 1;
  }

  #planRenewal(expire: number): void {
    this.#plan(Math.max(SHORTEST_MS, (expire - Date.now()) * RENEW_AFTER));
  }

  #plan(delay: number): void {
    clearTimeout(this.#timer);
    this.#renewAt = Date.now() + delay;
    this.#timer = setTimeout(() => void this.#renew(), delay);
  }

  #set(state: LockState): void {
    this.#state = state;
    clearTimeout(this.#watch);
    if ("expire" in state) this.#watchOver(state.expire - Date.now());
    this.#onState(state);
  }

  #watchOver(delay: number, late = false): void {
    this.#watch = setTimeout(() => this.#ranOut(late), Math.max(delay, 0));
  }

  /** Nobody has prolonged the lock, and nobody has said so. An answer that still comes may bring it back. */
  #ranOut(late: boolean): void {
    const state = this.#state;
    if (!("expire" in state)) return;
    if (this.#asking && !late) this.#watchOver(LATE_MS, true);
    else this.#set({ kind: "lost", error: "error" in state ? state.error : new ApiError("unreachable", 0, "") });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

/** The server's clock may differ from ours: no lock is believed to last longer than locks do. */
function localExpiry(lock: PageLock): number {
  const left = Date.parse(lock.expire) - Date.now();
  return Date.now() + Math.min(LONGEST_TTL_MS, Number.isFinite(left) ? Math.max(left, 0) : 0);
}

/** Answers that another try can't change. */
export function isRefusal(error: unknown): boolean {
  return hasCode(error, "lock_invalid", "lock_required", "locked", "not_found", "page_not_found", "gone", "deleted");
}

/** For a lock that is given back: where it is ours no longer, there is nothing to give. */
export function throwUnlessRefused(error: unknown): void {
  if (!isRefusal(error)) throw error;
}
