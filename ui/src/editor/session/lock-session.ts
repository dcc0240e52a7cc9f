// The lock of an open editor (docs/spec/wiki.md, Editing): renewed long before its expiry, each time with a new token.
// If a renewal fails, the session reports the true state and retries as long as a renewal is possible.
import type { LocksApi, PageLock } from "../../api/backend";
import { ApiError, hasCode } from "../../api/errors";

export type LockState =
  /** Held until `expire` (local clock, ms) at least. */
  | { kind: "held"; expire: number }
  /** Renewals fail for a reason that may pass; the lock is held until `expire`. */
  | { kind: "unsure"; expire: number; error: unknown }
  /** Not held any more: refused by the server, or expired without an answer. */
  | { kind: "lost"; error: unknown }
  | { kind: "ended" };

/** The fraction of the remaining time after which the lock is renewed: 2 of the 5 minutes. */
const RENEW_AFTER = 0.4;
const MIN_INTERVAL_MS = 5_000;
const MAX_TTL_MS = 300_000;
/** The time after the lock's expiry for which an answer may still arrive: after a sleep it is late. */
const LATE_MS = 3_000;
const RETRY_MS = [2_000, 4_000, 8_000, 15_000, 30_000] as const;

export interface LockSessionOptions {
  pageId: string;
  lock: PageLock;
  locks: LocksApi;
  /** Stores each new token for a reload. */
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
  /** The expiries of all granted locks: they identify the server's events about our own requests. */
  readonly #granted = new Set<number>();
  #renewAt = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** A timer for the lock's expiry, in case no answer arrives at all. */
  #watch: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  /** All uses of the token are sequential: a renewal invalidates the token that a save would carry. */
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
    this.#watchExpiry(this.#state.expire - Date.now());
  }

  get state(): LockState {
    return this.#state;
  }

  /** Runs work with the token, while no renewal changes it. */
  use<T>(work: (token: string) => Promise<T>): Promise<T> {
    return this.#inTurn(() => work(this.#token));
  }

  /** Called after a sleep or a lost network: runs a due renewal now. */
  async wake(): Promise<void> {
    if (this.#state.kind === "unsure" || (this.#state.kind === "held" && Date.now() >= this.#renewAt)) await this.#renew();
  }

  /**
   * Handles the server's event that the page is locked until `expire`, or (null) that it may not be any more. True if
   * the event is not about our own requests; then a renewal determines the state.
   */
  async handleEvent(expire: string | null): Promise<boolean> {
    // The answer to our own request may arrive after its event.
    await this.#turn;
    if (expire !== null && this.#granted.has(Date.parse(expire))) return false;
    if (this.#isOurs()) await this.#renew();
    return true;
  }

  /** Tries to lock the page again after the lock was lost. Throws the server's error. */
  async reacquire(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#state.kind === "ended") return;
      const lock = await this.#locks.acquire(this.#pageId);
      this.#take(lock);
      // The page was left before the answer arrived.
      if (this.#hasEnded()) await this.#locks.release(this.#pageId, lock.token);
    });
  }

  /** Called when a use of the token was refused because it is no longer valid. */
  lose(error: unknown): void {
    if (this.#state.kind === "ended") return;
    clearTimeout(this.#timer);
    this.#set({ kind: "lost", error });
  }

  /** Releases the lock; a draft ends with it. Throws if the server could not be reached. */
  async release(): Promise<void> {
    const isHeld = this.#isOurs();
    this.end();
    await this.#inTurn(async () => {
      if (isHeld) await this.#locks.release(this.#pageId, this.#token);
    });
  }

  /** Releases the lock of a closing page: it cannot wait for an answer. */
  releaseOnClose(): void {
    if (this.#isOurs()) this.#locks.releaseOnClose(this.#pageId, this.#token);
  }

  /** Ends the session without a release (a save has released the lock). */
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
    // The page was left before the answer arrived: only a release needs the token.
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
    // Also after the expiry: the server accepts a token a little longer after a sleep.
    this.#plan(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? MIN_INTERVAL_MS);
    this.#failures += 1;
  }

  #planRenewal(expire: number): void {
    this.#plan(Math.max(MIN_INTERVAL_MS, (expire - Date.now()) * RENEW_AFTER));
  }

  #plan(delay: number): void {
    clearTimeout(this.#timer);
    this.#renewAt = Date.now() + delay;
    this.#timer = setTimeout(() => void this.#renew(), delay);
  }

  #set(state: LockState): void {
    this.#state = state;
    clearTimeout(this.#watch);
    if ("expire" in state) this.#watchExpiry(state.expire - Date.now());
    this.#onState(state);
  }

  #watchExpiry(delay: number, late = false): void {
    this.#watch = setTimeout(() => this.#expire(late), Math.max(delay, 0));
  }

  /** Handles an expiry without a renewal or a refusal. A late answer may restore the lock. */
  #expire(late: boolean): void {
    const state = this.#state;
    if (!("expire" in state)) return;
    if (this.#asking && !late) this.#watchExpiry(LATE_MS, true);
    else this.#set({ kind: "lost", error: "error" in state ? state.error : new ApiError("unreachable", 0, "") });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

/** The server's clock may differ from ours: no lock is assumed to last longer than locks do. */
function localExpiry(lock: PageLock): number {
  const remaining = Date.parse(lock.expire) - Date.now();
  return Date.now() + Math.min(MAX_TTL_MS, Number.isFinite(remaining) ? Math.max(remaining, 0) : 0);
}

/** True for an answer that a retry cannot change. */
export function isRefusal(error: unknown): boolean {
  return hasCode(error, "lock_invalid", "lock_required", "locked", "not_found", "page_not_found", "gone", "deleted");
}

/** Ignores a refused release: a lock that is no longer held needs none. */
export function throwUnlessRefused(error: unknown): void {
  if (!isRefusal(error)) throw error;
}
