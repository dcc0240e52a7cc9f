// The pages that were open in this window, the latest first. It lasts as long as the window: what was changed lately,
// the server knows.

const KEPT = 30;

export class Visits {
  #paths: readonly string[] = [];

  get paths(): readonly string[] {
    return this.#paths;
  }

  note(path: string): void {
    this.#paths = [path, ...this.#paths.filter((other) => other !== path)].slice(0, KEPT);
  }
}

/** What to offer before anything is asked: first where one was, then what changed lately; never the page that is open. */
export function recentPages<T extends { path: string }>(
  visited: readonly string[],
  known: readonly T[],
  changed: readonly T[],
  current: string | null,
  limit: number,
): T[] {
  const wanted = new Set(visited);
  const byPath = new Map(known.filter(({ path }) => wanted.has(path)).map((page) => [page.path, page]));
  const were = visited.flatMap((path) => byPath.get(path) ?? []);
  const others = changed.filter(({ path }) => !wanted.has(path));
  return [...were, ...others].filter(({ path }) => path !== current).slice(0, limit);
}
