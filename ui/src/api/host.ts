// What the frame offers to the rooms inside it. A room gets a `Host` as a prop and never reaches into `app/`.
// Everything that a room sets (title, crumbs, actions, foot, panel, guards, keys) ends when the room leaves.
import type { Component, Snippet } from "svelte";
import type { Translate } from "../i18n";
import type { MovedLink } from "./moves";

export interface Crumb {
  label: string;
  /** Absent for the place where one is. */
  href?: string;
  /** It names no place, but what is seen of the one before it: its history. */
  view?: boolean;
}

export interface Action {
  id: string;
  label: string;
  /** As `registerShortcut` takes it: "e", "Mod+s". Shown in the tooltip, pressed by the registry. */
  key?: string;
  /** At most one action is primary. */
  primary?: boolean;
  /** Drawn with an edge, where nothing is primary but one thing is the usual one. */
  outlined?: boolean;
  disabled?: boolean;
  /** Behind the button for more, where it is not among what one does all the time. */
  menu?: boolean;
  /** A lucide component. */
  icon?: Component<{ size?: number; strokeWidth?: number }>;
  /** Its `data-testid`; `action-{id}` when absent. */
  testId?: string;
  run: () => void | Promise<void>;
}

export type Tone = "plain" | "good" | "busy" | "warn" | "bad";

export interface FootItem {
  id: string;
  text: string;
  /** What is said in its place where the window is very narrow. */
  short?: string;
  /** Draws a dot before the text; the words must say it as well. */
  tone?: Tone;
  side?: "left" | "right";
  /** Said by screen readers when it changes. */
  live?: boolean;
  title?: string;
  /** Its `data-testid`; none when absent. */
  testId?: string;
}

export interface RightPanel {
  /** The panel's accessible name, and its heading as a drawer. */
  label: string;
  content: Snippet;
  /** Given by a room where the panel is there because it was asked for: it is shown then, and this puts it away. */
  close?: () => void;
}

export interface Shortcut {
  id: string;
  /** What it does, as the list of keys and the palette show it. */
  label: string;
  /** "Mod" is Ctrl, or Command on a Mac. Single keys wait until nothing is being typed. */
  key: string;
  /** False keeps it out of the palette (movement keys, say). */
  palette?: boolean;
  /** Also while something is being typed; the default for keys with Mod, and with Alt but on a Mac. */
  whileTyping?: boolean;
  /** Also again and again while it is held, as keys for moving and zooming are. */
  repeats?: boolean;
  run: (event?: KeyboardEvent) => void | Promise<void>;
}

export interface ToastOptions {
  tone?: Tone;
  /** One thing that can be done about it, such as Undo. */
  action?: { label: string; run: () => void | Promise<void> };
  /** Undoes it: offered here as "Undo", and by the palette when the message has gone. It may run when the room has been left. */
  undo?: () => void | Promise<void>;
  /** 8,000 ms when absent; null stays until it is closed. */
  duration?: number | null;
}

export interface ConfirmOptions {
  title: string;
  /** Names what will be lost. */
  message: string;
  /** What it is about, one below the other, each with what is said of it. */
  each?: readonly { name: string; words: string }[];
  /** Said below these. */
  more?: string | undefined;
  confirm: string;
  /** "Cancel" when absent. */
  cancel?: string;
  /** The red of loss. */
  danger?: boolean;
  /** A third answer: it does its work, and is no `confirm`. */
  instead?: { label: string; keys: string; run: () => void };
}

/** Whether everything that is unsaved is in a safe place; `files at stake`: all but the files of a page never saved. */
export type Kept = "kept" | "unkept" | "files at stake";

export interface NavigateOptions {
  replace?: boolean;
  /** Leaves without asking the guards: what they protect has been dealt with. */
  force?: boolean;
}

export interface Host {
  /** Goes to an address of this page; false when a guard kept it. */
  navigate(url: string, options?: NavigateOptions): Promise<boolean>;
  setTitle(title: string): void;
  setCrumbs(crumbs: Crumb[]): void;
  setActions(actions: Action[]): void;
  setFoot(items: FootItem[]): void;
  setRightPanel(panel: RightPanel | null): void;
  /** Opens the right panel where it is closed. */
  showRightPanel(): void;
  /** Returns how to take it back. */
  toast(message: string, options?: ToastOptions): () => void;
  /** Something was done that one sees by itself: no message, but the key for undoing and the palette take it back. It may run when the room has been left, and before what is being done has ended. Returns how to take the offer back where nothing came of it. */
  undoable(what: string, undo: () => void | Promise<void>): () => void;
  confirm(options: ConfirmOptions): Promise<boolean>;
  /** Names the links that mean something else since a page has moved, wherever one goes next; nothing where there are none. */
  tellLinks(links: readonly MovedLink[]): void;
  /** Asked before the address changes; false keeps the person here. Returns how to remove it. */
  beforeLeave(guard: () => boolean | Promise<boolean>): () => void;
  /**
   * Called when the window is about to close, to put everything in a safe place: within 2 s, or the person is asked while
   * it goes on, as they are where something is not kept. Called once more when it is `certain` that the window goes, and
   * so at once for a browser's tab: then what is held is given back. Returns how to remove it.
   */
  onWindowClosing(flush: (certain: boolean) => Kept | Promise<Kept>): () => void;
  /** Asks first, then opens the address outside. */
  openExternal(url: string): Promise<void>;
  /** Returns how to remove it. */
  registerShortcut(shortcut: Shortcut): () => void;
  /** A sentence that a person understands, for any error. */
  describe(error: unknown): string;
  /** Reactive: a template that calls it follows the language. */
  readonly t: Translate;
  /** "en" or "ja", reactive. */
  readonly locale: string;
}
