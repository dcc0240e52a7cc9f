// Code that is fetched when it is first needed, and there at once from then on.
import { ApiError } from "../../api/errors";

export class Lazy<T> {
  /** What has come; null until then. */
  now: T | null = null;
  #coming: Promise<T> | null = null;

  constructor(private readonly fetch: () => Promise<T>) {}

  /** One that failed to come is asked for again the next time. */
  load(): Promise<T> {
    this.#coming ??= this.fetch().then(
      (come) => (this.now = come),
      (cause: unknown) => {
        this.#coming = null;
        throw new ApiError("unreachable", 0, "a part of the page did not come", {}, { cause });
      },
    );
    return this.#coming;
  }
}
