// The short messages at the edge of the window.
import type { ToastOptions, Tone } from "../../api/host";

export interface Toast {
  id: number;
  message: string;
  tone: Tone;
  action?: ToastOptions["action"];
}

const DURATION = 8_000;
const MAX_TOASTS = 4;

export class Toasts {
  #items = $state.raw<Toast[]>([]);
  readonly #timers = new Map<number, { handle: ReturnType<typeof setTimeout> | null; left: number; since: number }>();
  #next = 0;
  #paused = false;

  get items(): readonly Toast[] {
    return this.#items;
  }

  show(message: string, { tone = "plain", action, duration = DURATION }: ToastOptions = {}): () => void {
    const id = this.#next++;
    const same = this.#items.find((toast) => toast.message === message && toast.tone === tone);
    if (same) this.close(same.id);
    const toast = { id, message, tone, action };
    this.#makeRoom(duration === null);
    this.#items = [...this.#items, toast];
    if (duration !== null) this.#timers.set(id, { handle: null, left: duration, since: 0 });
    if (!this.#paused) this.#run();
    return () => this.close(id);
  }

  close(id: number): void {
    clearTimeout(this.#timers.get(id)?.handle ?? undefined);
    this.#timers.delete(id);
    this.#items = this.#items.filter((toast) => toast.id !== id);
    // The pointer cannot be over an empty list.
    if (this.#items.length === 0) this.#paused = false;
  }

  /** Messages with a timeout are removed first; a lasting one only makes room for another lasting one. */
  #makeRoom(forLasting: boolean): void {
    while (this.#items.length >= MAX_TOASTS) {
      const first = this.#items.find(({ id }) => this.#timers.has(id)) ?? (forLasting ? this.#items[0] : undefined);
      if (first === undefined) return;
      this.close(first.id);
    }
  }

  /** Suspends all timeouts while the pointer or the focus is there. */
  pause(): void {
    this.#paused = true;
    for (const timer of this.#timers.values()) {
      if (timer.handle === null) continue;
      clearTimeout(timer.handle);
      timer.handle = null;
      timer.left -= performance.now() - timer.since;
    }
  }

  resume(): void {
    this.#paused = false;
    this.#run();
  }

  #run(): void {
    for (const [id, timer] of this.#timers) {
      if (timer.handle !== null) continue;
      timer.since = performance.now();
      timer.handle = setTimeout(() => this.close(id), Math.max(timer.left, 1_000));
    }
  }
}
