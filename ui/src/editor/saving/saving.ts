// The state and the result of a save.
import type { Text } from "@codemirror/state";
import type { SavedPage, SaveResult } from "../../api/backend";
import type { OwnLock } from "../session/open-page";

/** `own`: the user's own lock is in the way. */
export type SaveState = { kind: "idle" } | { kind: "saving" } | { kind: "failed"; error: unknown; own: OwnLock | null };

/** The step after a save: further writing, or reading the page. */
export type Then = "write" | "read";

/**
 * A successful save. If the user has typed meanwhile, the editing continues from the saved text, whatever step was
 * planned.
 */
export interface Saved extends SavedPage {
  continues: boolean;
}

/** A written text, and the editor's state that it came from. */
export interface Put {
  saved: SaveResult;
  doc: Text;
  text: string;
}
