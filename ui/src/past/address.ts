// The addresses of the past: `/wiki/{path}?history`, with the two revisions that are compared as `?history=3..7`.
import { wikiUrl } from "../markdown/page-path";

export const BIN_ADDRESS = "/bin";

/** Two revisions that are compared. */
export interface Pair {
  from: number;
  to: number;
}

export function historyUrl(path: string, pair: Pair | null = null): string {
  return `${wikiUrl(path)}?history${pair === null ? "" : `=${pair.from}..${pair.to}`}`;
}

/** What an address asks for; undefined when it is none of a history, null when it names no revisions. */
export function pairOf(url: URL): Pair | null | undefined {
  const asked = url.searchParams.get("history");
  if (asked === null) return undefined;
  const [, from, to] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(asked) ?? [];
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) };
}
