// The frame's interface for the views inside it. A view receives a `Host` as a prop and never reaches into `app/`.
// Everything that a view sets (title, crumbs, actions, status bar, panel, guards, keys) ends when the view is left.
import type { Component, Snippet } from "svelte";
import type { Translate } from "../i18n";
import type { MovedLink } from "./moves";

export interface Crumb {
  label: string;
  /** Absent for the current place. */
  href?: string;
  /** The path of a page; the frame shows the page's title as soon as it is known, and the path in the tooltip. */
  page?: string;
  /** True if the crumb names a view of the previous one, such as its history, rather than a place. */
  view?: boolean;
}

export interface Action {
  id: string;
  label: string;
  /** In the form that `registerShortcut` takes: "e", "Mod+s". Shown in the tooltip; handled by the registry. */
  key?: string;
  /** At most one action is primary. */
  primary?: boolean;
  /** Drawn with an outline: the usual action where none is primary. */
  outlined?: boolean;
  disabled?: boolean;
  /** Moves a less frequent action into the overflow menu. */
  menu?: boolean;
  /** The place in that menu: groups are in ascending order, with lines between them. */
  group?: number;
  /** A lucide component. */
  icon?: Component<{ size?: number; strokeWidth?: number }>;
  /** Its `data-testid`; `action-{id}` when absent. */
  testId?: string;
  run: () => void | Promise<void>;
}

/** An action on an object, in its context menu. */
export interface MenuAction {
  id: string;
  label: string;
  /** The key that does the same, while the object has the focus or is shown. */
  keys?: string | undefined;
  icon?: Component<{ size?: number; strokeWidth?: number }> | undefined;
  disabled?: boolean | undefined;
  /** Actions of another group follow a line. */
  group?: number | undefined;
  run: () => void;
}

export type Tone = "plain" | "good" | "busy" | "warn" | "bad";

export interface StatusItem {
  id: string;
  text: string;
  /** A shorter text for a very narrow window. */
  short?: string;
  /** Draws a dot before the text, which must convey the state as well. */
  tone?: Tone;
  side?: "left" | "right";
  /** Announced by screen readers when it changes. */
  live?: boolean;
  title?: string;
  /** Its `data-testid`; none when absent. */
  testId?: string;
}

export interface RightPanel {
  /** The panel's accessible name, and its heading as a drawer. */
  label: string;
  content: Snippet;
  /** Closes the panel; set by a view whose panel is shown only on request, and then shown at once. */
  close?: () => void;
}

export interface Shortcut {
  id: string;
  /** A description of the action for the list of keys and the palette. */
  label: string;
  /** "Mod" is Ctrl, or Command on a Mac. Single keys are disabled while the user types. */
  key: string;
  /** False keeps it out of the palette (movement keys, for example). */
  palette?: boolean;
  /** Also active while the user types; the default for keys with Mod, and for keys with Alt except on a Mac. */
  whileTyping?: boolean;
  /** Only while the focus is within this element; there, it precedes the frame's keys. */
  within?: () => Element | null | undefined;
  /** Also active while a dialog is open. */
  inDialogs?: boolean;
  /** Repeats while the key is held, as keys for moving and zooming do. */
  repeats?: boolean;
  run: (event?: KeyboardEvent) => void | Promise<void>;
}

export interface ToastOptions {
  tone?: Tone;
  /** A follow-up action, such as Undo. */
  action?: { label: string; run: () => void | Promise<void> };
  /**
   * Undoes the action: offered here as "Undo", and by the palette once the message has gone. It may run after the view
   * has been left.
   */
  undo?: () => void | Promise<void>;
  /** Does an undone action again: offered in the same way as "Redo". */
  redo?: () => void | Promise<void>;
  /** 8,000 ms when absent; null stays until it is closed. */
  duration?: number | null;
  /** True if the message belongs to the view: it is removed when the view is left. */
  ofView?: boolean;
}

export interface ConfirmOptions {
  title: string;
  /** Names the data that will be lost. */
  message: string;
  /** The affected items, one below the other, each with a description. */
  each?: readonly { name: string; words: string }[];
  /** Text below these. */
  more?: string | undefined;
  confirm: string;
  /** "Cancel" when absent. */
  cancel?: string;
  /** Uses the red of destructive actions. */
  danger?: boolean;
  /** A third answer: it runs its own work, and does not count as `confirm`. */
  instead?: { label: string; keys: string; run: () => void };
}

/** The outcome of a flush of all unsaved data; `files at stake`: all but the files of a page never saved. */
export type FlushResult = "saved" | "unsaved" | "files at stake";

export interface NavigateOptions {
  replace?: boolean;
  /** Leaves without asking the guards: their data is already handled. */
  force?: boolean;
}

/** A question for the path of a page to be created. */
export interface NewPathQuestion {
  title: string;
  confirm: string;
  /** The suggested parent. */
  base: string;
  /** Creates the page; the dialog stays open, with the reason, if it rejects. */
  create: (path: string) => Promise<void>;
}

export interface Host {
  /** Navigates to an address of this page; false if a guard refused. */
  navigate(url: string, options?: NavigateOptions): Promise<boolean>;
  setTitle(title: string): void;
  setCrumbs(crumbs: Crumb[]): void;
  setActions(actions: Action[]): void;
  setStatus(items: StatusItem[]): void;
  setRightPanel(panel: RightPanel | null): void;
  /** Shows the actions on an object at a position in the window. */
  showMenu(label: string, actions: readonly MenuAction[], at: { x: number; y: number }): void;
  /** Opens an address in another tab: of the window, or of the browser. */
  openTab(address: string): void;
  /** Opens an address in the second pane of the window; null in a browser. */
  readonly openBeside: ((address: string) => void) | null;
  /** Opens the right panel if it is closed. */
  showRightPanel(): void;
  /** Returns a function that removes the message. */
  toast(message: string, options?: ToastOptions): () => void;
  /**
   * Records an action whose effect is visible: no message appears, but the undo key and the palette can undo it. The
   * undo may run after the view has been left, and before the action has ended. Returns a function that withdraws the
   * offer if the action has no effect.
   */
  undoable(what: string, undo: () => void | Promise<void>): () => void;
  /** Records an undone action that can be done again, by the redo key and the palette. */
  redoable(what: string, redo: () => void | Promise<void>): void;
  confirm(options: ConfirmOptions): Promise<boolean>;
  /**
   * Lists the links whose meaning changed when a page moved, in whichever view is opened next; does nothing if there
   * are none.
   */
  showMovedLinks(links: readonly MovedLink[]): void;
  /** The language of the text that is written; null for those of the settings. */
  setTextLanguage(language: string | null): void;
  /** Asks for the title or path of a page, in the dialog of new pages. */
  askNewPath(question: NewPathQuestion): void;
  /** The address of this visit, reactive. */
  readonly url: URL;
  /** The data that the view has stored in the current entry of the history. */
  readonly kept: object | null;
  /** Stores data in the current entry; it survives a reload, going back, and a restart of the window. */
  keep(state: object): void;
  /** Calls back after each step through the history within this visit. Returns a function that stops it. */
  onStep(handler: () => void): () => void;
  /** Goes back if one of our own entries precedes this one; returns false otherwise. */
  goBack(): boolean;
  /** `append` takes texts for the end of the page that is being edited here. Returns a function that ends this. */
  acceptText(path: string, append: (text: string) => void): () => void;
  /** Called before the address changes; false keeps the user here. Returns a function that removes the guard. */
  beforeLeave(guard: () => boolean | Promise<boolean>): () => void;
  /**
   * Called when the window is about to close, to flush everything. After 2 s, or if something cannot be saved, the user
   * is asked while the flush continues. Called again once it is `certain` that the window closes, which is true at once
   * for a browser's tab: held resources are then released. Returns a function that removes the handler.
   */
  onWindowClosing(flush: (certain: boolean) => FlushResult | Promise<FlushResult>): () => void;
  /** Asks for confirmation, then opens the address outside. */
  openExternal(url: string): Promise<void>;
  /** Returns a function that removes the shortcut. */
  registerShortcut(shortcut: Shortcut): () => void;
  /** A readable sentence for any error. */
  describe(error: unknown): string;
  /** Reactive: a template that calls it follows the language. */
  readonly t: Translate;
  /** "en" or "ja", reactive. */
  readonly locale: string;
}
