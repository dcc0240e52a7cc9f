// Code that is loaded on first use, and available synchronously from then on.
import { ApiError } from "../../api/errors";

export class Lazy<T> {
  /** The loaded code; null until then. */
  now: T | null = null;
  #coming: Promise<T> | null = null;

  constructor(private readonly fetch: () => Promise<T>) {}

  /** Loads the code. A failed load is repeated by the next call. */
  load(): Promise<T> {
    this.#coming ??= this.fetch().then(
      (loaded) => (this.now = loaded),
      (cause: unknown) => {
        this.#coming = null;
        throw new ApiError("unreachable", 0, "a part of the page did not come", {}, { cause });
      },
    );
    return this.#coming;
  }
}
