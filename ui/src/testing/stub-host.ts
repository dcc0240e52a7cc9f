// A frame for the tests of the rooms: remembers what a room has put into it, and answers questions as it is told.
import { vi } from "vitest";
import type { Action, ConfirmOptions, Crumb, FootItem, Host, Kept, RightPanel, Shortcut, ToastOptions } from "../api/host";
import type { MovedLink } from "../api/moves";
import { errorMessage, locale, t } from "../i18n";

export class StubHost implements Host {
  title = "";
  crumbs: Crumb[] = [];
  actions: Action[] = [];
  foot: FootItem[] = [];
  panel: RightPanel | null = null;
  readonly visited: string[] = [];
  panelAsked = 0;
  /** What was said, and what of it has not been taken back. */
  readonly toasts: string[] = [];
  readonly open: { message: string; options: ToastOptions }[] = [];
  /** What can be undone without that a message offers it. */
  readonly undos: { what: string; run: () => void | Promise<void> }[] = [];
  readonly questions: ConfirmOptions[] = [];
  /** The links of which was told that they mean something else. */
  readonly links: MovedLink[] = [];
  /** The answer to every question; `instead` is the third one, where there is one. */
  says: boolean | "instead" = true;
  readonly guards = new Set<() => boolean | Promise<boolean>>();
  readonly closers = new Set<(certain: boolean) => Kept | Promise<Kept>>();
  readonly shortcuts = new Set<Shortcut>();
  readonly openExternal = vi.fn(() => Promise.resolve());
  readonly t = t;
  readonly describe = errorMessage;

  get locale(): string {
    return locale();
  }

  /** Asks the guards, as the frame does before another address. */
  async mayLeave(): Promise<boolean> {
    for (const guard of this.guards) if (!(await guard())) return false;
    return true;
  }

  /** Presses a button of the top bar. */
  async act(id: string): Promise<void> {
    const action = this.actions.find((one) => one.id === id);
    if (action === undefined) throw new Error(`there is no action "${id}"`);
    await action.run();
  }

  navigate(url: string): Promise<boolean> {
    this.visited.push(url);
    return Promise.resolve(true);
  }

  setTitle(title: string): void {
    this.title = title;
  }

  setCrumbs(crumbs: Crumb[]): void {
    this.crumbs = crumbs;
  }

  setActions(actions: Action[]): void {
    this.actions = actions;
  }

  setFoot(items: FootItem[]): void {
    this.foot = items;
  }

  setRightPanel(panel: RightPanel | null): void {
    this.panel = panel;
  }

  showRightPanel(): void {
    this.panelAsked += 1;
  }

  toast(message: string, options: ToastOptions = {}): () => void {
    this.toasts.push(message);
    const toast = { message, options };
    this.open.push(toast);
    return () => void this.open.splice(this.open.indexOf(toast), 1);
  }

  undoable(what: string, run: () => void | Promise<void>): () => void {
    const undo = { what, run };
    this.undos.push(undo);
    return () => void this.undos.splice(this.undos.indexOf(undo), 1);
  }

  confirm(options: ConfirmOptions): Promise<boolean> {
    this.questions.push(options);
    if (this.says === "instead") options.instead?.run();
    return Promise.resolve(this.says === true);
  }

  tellLinks(links: readonly MovedLink[]): void {
    this.links.push(...links);
  }

  beforeLeave(guard: () => boolean | Promise<boolean>): () => void {
    this.guards.add(guard);
    return () => this.guards.delete(guard);
  }

  onWindowClosing(flush: (certain: boolean) => Kept | Promise<Kept>): () => void {
    this.closers.add(flush);
    return () => this.closers.delete(flush);
  }

  registerShortcut(shortcut: Shortcut): () => void {
    this.shortcuts.add(shortcut);
    return () => this.shortcuts.delete(shortcut);
  }

  /** What the list of keys says of a key; undefined where nothing answers to it. */
  named(key: string): string | undefined {
    return [...this.shortcuts].reverse().find((shortcut) => shortcut.key === key)?.label;
  }

  /** Presses a key that the room answers. */
  async press(key: string): Promise<void> {
    const found = [...this.shortcuts].reverse().find((shortcut) => shortcut.key === key);
    if (found === undefined) throw new Error(`nothing answers to "${key}"`);
    await found.run();
  }
}
