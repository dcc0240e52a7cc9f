// How a save stands, and what comes of one.
import type { Text } from "@codemirror/state";
import type { SavedPage, SaveResult } from "../api/backend";
import type { OwnLock } from "./open-page";

/** `own`: it is one's own lock that is in the way. */
export type SaveState = { kind: "idle" } | { kind: "saving" } | { kind: "failed"; error: unknown; own: OwnLock | null };

/** What is to come after a save: one goes on writing, or reads the page. */
export type Then = "write" | "read";

/**
 * A save that went well. The person may have gone on typing meanwhile: then the editing goes on from what was saved,
 * whatever was to come after it.
 */
export interface Saved extends SavedPage {
  goesOn: boolean;
}

/** What has been written, and from which state of the editor. */
export interface Put {
  saved: SaveResult;
  doc: Text;
  text: string;
}
