// The status bar of the reading view: the state of the text, and its length.
import type { StatusItem, Host } from "../api/host";
import type { DisplayedPage } from "./page-state.svelte";

interface PageState {
  hasDraft: boolean;
  isInTrash: boolean;
}

export function pageStatus(page: DisplayedPage, state: PageState, t: Host["t"]): StatusItem[] {
  const characters = { id: "characters", text: t("wiki.characters", { count: page.text.length }) };
  return [{ id: "page-state", ...stateOf(page, state, t), testId: "page-state" }, characters];
}

function stateOf({ deleted, isPast }: DisplayedPage, { hasDraft, isInTrash }: PageState, t: Host["t"]): Pick<StatusItem, "text" | "tone"> {
  if (isPast) return { text: t("wiki.state_past"), tone: "plain" };
  if (hasDraft) return { text: t("wiki.state_unsaved"), tone: "warn" };
  // It is saved, but may not stay.
  if (deleted || isInTrash) return { text: t("wiki.state_deleted"), tone: "plain" };
  return { text: t("editor.state_saved"), tone: "good" };
}
