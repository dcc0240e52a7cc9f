// The window of the quick note, as a view: a page that begins with it has no frame.
import type { Component } from "svelte";
import { defineView, once, type ViewProps } from "../../../view/definition";

export const QUICK_NOTE_ADDRESS = "/quick-note";

/** Its type is explicit: the view composes the app, which registers this definition. */
export const loadQuickNote = once<{ default: Component<ViewProps<object>> }>(() => import("./QuickNoteWindow.svelte"));

export const quickNote = defineView({
  addresses: [QUICK_NOTE_ADDRESS],
  title: "quick_note.title",
  load: loadQuickNote,
  component: (code) => code.default,
});
