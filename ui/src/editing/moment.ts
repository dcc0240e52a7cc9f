// Moments as of which the wiki is read, in addresses and words.
import { formatDateTime } from "../i18n";

/** The moment in an address; null if it is of the present. */
export function momentOf(url: URL): string | null {
  return url.searchParams.get("at") || null;
}

/** A moment as people read it. A day, and a text that is no time, stay as they are written: the server explains them. */
export function momentText(at: string): string {
  const isTime = at.includes("T") && !Number.isNaN(Date.parse(at));
  return isTime ? formatDateTime(at) : at;
}
