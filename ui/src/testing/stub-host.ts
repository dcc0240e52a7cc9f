// A frame for the tests of the views: records a view's additions, and answers questions as configured.
import { vi } from "vitest";
import type { Action, ConfirmOptions, Crumb, StatusItem, Host, FlushResult, MenuAction, NewPathQuestion, RightPanel, Shortcut, ToastOptions } from "../api/host";
import type { MovedLink } from "../api/moves";
import { errorMessage, locale, t } from "../i18n";

export class StubHost implements Host {
  title = "";
  crumbs: Crumb[] = [];
  actions: Action[] = [];
  statusItems: StatusItem[] = [];
  panel: RightPanel | null = null;
  readonly visited: string[] = [];
  /** The addresses opened in another tab or pane. */
  readonly opened: string[] = [];
  panelOpenings = 0;
  /** The menu that was opened last. */
  menu: { label: string; actions: readonly MenuAction[] } | null = null;
  textLanguage: string | null = null;
  /** The messages that have not been removed. */
  readonly toasts: string[] = [];
  readonly open: { message: string; options: ToastOptions }[] = [];
  /** The actions that can be undone without a message. */
  readonly undos: { what: string; run: () => void | Promise<void> }[] = [];
  /** The undone actions that can be done again without a message. */
  readonly redos: { what: string; run: () => void | Promise<void> }[] = [];
  readonly questions: ConfirmOptions[] = [];
  /** The links that were reported as changed. */
  readonly links: MovedLink[] = [];
  /** The questions for the paths of new pages. */
  readonly newPaths: NewPathQuestion[] = [];
  /** The answer to every question; `instead` is the third one, if there is one. */
  confirmAnswer: boolean | "instead" = true;
  readonly guards = new Set<() => boolean | Promise<boolean>>();
  readonly closers = new Set<(certain: boolean) => FlushResult | Promise<FlushResult>>();
  readonly shortcuts = new Set<Shortcut>();
  readonly openExternal = vi.fn(() => Promise.resolve());
  readonly t = t;
  readonly describe = errorMessage;

  get locale(): string {
    return locale();
  }

  /** Asks the guards, as the frame does before the address changes. */
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

  setStatus(items: StatusItem[]): void {
    this.statusItems = items;
  }

  setRightPanel(panel: RightPanel | null): void {
    this.panel = panel;
  }

  showMenu(label: string, actions: readonly MenuAction[]): void {
    this.menu = { label, actions };
  }

  openTab(address: string): void {
    this.opened.push(`tab ${address}`);
  }

  openBeside: Host["openBeside"] = (address) => void this.opened.push(`beside ${address}`);

  /** Chooses an action of the open menu. */
  choose(id: string): void {
    const action = this.menu?.actions.find((one) => one.id === id);
    if (action === undefined) throw new Error(`the menu has no action "${id}"`);
    action.run();
  }

  showRightPanel(): void {
    this.panelOpenings += 1;
  }

  toast(message: string, options: ToastOptions = {}): () => void {
    this.toasts.push(message);
    const toast = { message, options };
    this.open.push(toast);
    return () => void this.open.splice(this.open.indexOf(toast), 1);
  }

  redoable(what: string, run: () => void | Promise<void>): void {
    this.redos.push({ what, run });
  }

  undoable(what: string, run: () => void | Promise<void>): () => void {
    const undo = { what, run };
    this.undos.push(undo);
    return () => void this.undos.splice(this.undos.indexOf(undo), 1);
  }

  confirm(options: ConfirmOptions): Promise<boolean> {
    this.questions.push(options);
    if (this.confirmAnswer === "instead") options.instead?.run();
    return Promise.resolve(this.confirmAnswer === true);
  }

  showMovedLinks(links: readonly MovedLink[]): void {
    this.links.push(...links);
  }

  setTextLanguage(language: string | null): void {
    this.textLanguage = language;
  }

  askNewPath(question: NewPathQuestion): void {
    this.newPaths.push(question);
  }

  get url(): URL {
    return new URL(location.href);
  }

  get kept(): object | null {
    return history.state as object | null;
  }

  keep(state: object): void {
    history.replaceState({ ...this.kept, ...state }, "");
  }

  onStep(handler: () => void): () => void {
    window.addEventListener("popstate", handler);
    return () => window.removeEventListener("popstate", handler);
  }

  goBack(): boolean {
    const { index = 0 } = (this.kept ?? {}) as { index?: number };
    if (index > 0) history.back();
    return index > 0;
  }

  readonly openEditors = new Map<string, (text: string) => void>();

  acceptText(path: string, append: (text: string) => void): () => void {
    this.openEditors.set(path, append);
    return () => this.openEditors.delete(path);
  }

  beforeLeave(guard: () => boolean | Promise<boolean>): () => void {
    this.guards.add(guard);
    return () => this.guards.delete(guard);
  }

  onWindowClosing(flush: (certain: boolean) => FlushResult | Promise<FlushResult>): () => void {
    this.closers.add(flush);
    return () => this.closers.delete(flush);
  }

  registerShortcut(shortcut: Shortcut): () => void {
    this.shortcuts.add(shortcut);
    return () => this.shortcuts.delete(shortcut);
  }

  /** The text of a key in the list of keys; undefined if the key is not listed. */
  named(key: string): string | undefined {
    return [...this.shortcuts].reverse().find((shortcut) => shortcut.key === key)?.label;
  }

  /** Presses a key that the view handles. */
  async press(key: string): Promise<void> {
    const found = [...this.shortcuts].reverse().find((shortcut) => shortcut.key === key);
    if (found === undefined) throw new Error(`nothing answers to "${key}"`);
    await found.run();
  }
}
