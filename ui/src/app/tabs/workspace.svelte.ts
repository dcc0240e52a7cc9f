// The tabs of the window, and its second pane. A browser has its own.
import type { WindowTab, WindowTabs } from "../../api/backend";
import type { App } from "../app.svelte";
import type { Pane } from "../pane.svelte";
import { crumbsOf } from "../routes";
import { typedAhead } from "../../editing/typed-ahead";
import { lastingAddress } from "../window/desktop-window";

/** The view of a new tab. */
const NEW_TAB = "/wiki/";
/** The most tabs that are stored, and that can be opened again. */
const MAX_TABS = 200;
const MAX_CLOSED = 30;
/** The longest stored title, in UTF-16 units. */
const MAX_TITLE = 200;
/** Tabs are stored when scrolling and typing rest, in milliseconds. */
const SETTLE = 400;
const HALF = 50;
/** The bounds of the first pane's share of the width, in percent. */
export const SHARE = { min: 20, max: 80, initial: HALF };

interface ClosedTab {
  tab: WindowTab;
  index: number;
}

export class Workspace {
  tabs = $state.raw<readonly Pane[]>([]);
  /** The shown tab. */
  active: Pane = $state.raw() as Pane;
  /** The second pane, beside whichever tab is shown. */
  beside = $state.raw<Pane | null>(null);
  /** The first pane's share of the width, in percent. */
  share = $state(SHARE.initial);
  #closed = $state.raw<readonly ClosedTab[]>([]);
  readonly #stops = new Map<Pane, () => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The tabs as they were stored last. */
  #stored = "";

  /** Restores the stored tabs. The pane of the app shows the address at which the window was opened. */
  constructor(
    private readonly app: App,
    stored: WindowTabs | null,
  ) {
    const first = app.pane;
    this.#adopt(first);
    if (stored === null) {
      this.tabs = [first];
    } else {
      const at = indexToShow(stored, addressOf(first));
      const [before, shown, after] = [stored.tabs.slice(0, at), stored.tabs[at], stored.tabs.slice(at + 1)];
      this.tabs = [...before.map((tab) => this.#restored(tab)), first, ...after.map((tab) => this.#restored(tab))];
      if (shown !== undefined && shown.address === addressOf(first)) restore(first, shown);
      if (stored.beside) this.beside = this.#restored(stored.beside);
      this.share = Math.min(SHARE.max, Math.max(SHARE.min, stored.share));
    }
    this.active = first;
    // A lost scroll position is not worth a question.
    app.closing.add(async () => {
      // The views add their positions.
      await Promise.resolve();
      await this.store();
      return "saved" as const;
    });
  }

  /** The panes whose views exist: those that are shown, and editors in the background, whose text is being written. */
  get mounted(): readonly Pane[] {
    return this.tabs.filter((tab) => tab === this.active || isEditor(tab));
  }

  get canReopen(): boolean {
    return this.#closed.length > 0;
  }

  titleOf(pane: Pane): string {
    return pane.view.title || (crumbsOf(pane.router.route).at(-1)?.label ?? "");
  }

  /** Opens an address in a tab behind the shown one. */
  open(address: string, { front = true }: { front?: boolean } = {}): void {
    if (this.#showEditor(null, new URL(address, location.href))) return;
    const tab = this.#create(address);
    this.#insert(tab, this.tabs.indexOf(this.active) + 1);
    if (front) this.activate(tab);
  }

  openNew(): void {
    const tab = this.#create(NEW_TAB);
    this.#insert(tab, this.tabs.length);
    this.activate(tab);
  }

  /** Shows an address that was opened from outside: in the tab that has it, or in a new one. */
  show(address: string): void {
    const tab = this.tabs.find((one) => addressOf(one) === address);
    if (tab === undefined) this.open(address);
    else this.activate(tab);
  }

  activate(tab: Pane): void {
    this.active = tab;
    this.focus(tab);
  }

  /** Gives a shown pane the keys. */
  focus(pane: Pane): void {
    const { app } = this;
    if (app.pane === pane) return;
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.closest("[data-pane]") !== null) app.pane.focused = activeElement;
    app.pane = pane;
  }

  /** Shows the tab a number of steps after the current one, around the ends. */
  step(by: 1 | -1): void {
    const { length } = this.tabs;
    const tab = this.tabs[(this.tabs.indexOf(this.active) + by + length) % length];
    if (tab !== undefined) this.activate(tab);
  }

  move(tab: Pane, to: number): void {
    const others = this.tabs.filter((one) => one !== tab);
    this.tabs = others.toSpliced(Math.max(0, to), 0, tab);
  }

  /** Closes a tab unless its view refuses; the last one closes the window. */
  async close(tab: Pane): Promise<boolean> {
    if (this.tabs.length === 1) {
      await this.app.backend.desktop?.requestClose();
      return false;
    }
    if (!(await this.#mayClose(tab))) return false;
    const index = this.tabs.indexOf(tab);
    if (index === -1 || this.tabs.length === 1) return false;
    this.#closed = [...this.#closed, { tab: snapshotOf(tab, this.titleOf(tab)), index }].slice(-MAX_CLOSED);
    this.tabs = this.tabs.filter((one) => one !== tab);
    const next = this.tabs[index] ?? this.tabs[index - 1];
    if (tab === this.active && next !== undefined) this.#replaceActive(next);
    this.#release(tab);
    return true;
  }

  /** Closes several; stops at the first that refuses. */
  async closeAll(tabs: readonly Pane[]): Promise<void> {
    for (const tab of tabs) if (!(await this.close(tab))) return;
  }

  reopen(): void {
    const closed = this.#closed.at(-1);
    if (closed === undefined) return;
    this.#closed = this.#closed.slice(0, -1);
    const tab = this.#restored(closed.tab);
    this.#insert(tab, closed.index);
    this.activate(tab);
  }

  duplicate(tab: Pane): void {
    const copy = this.#restored(snapshotOf(tab, this.titleOf(tab)));
    this.#insert(copy, this.tabs.indexOf(tab) + 1);
    this.activate(copy);
  }

  /** Opens an address in the second pane, and gives it the keys; false if its view refuses to leave. */
  async openBeside(address: string): Promise<boolean> {
    if (this.#showEditor(this.beside, new URL(address, location.href))) return true;
    if (this.beside === null) this.beside = this.#create(address);
    else if (!(await this.beside.router.navigate(address))) return false;
    this.focus(this.beside);
    return true;
  }

  async closeBeside(): Promise<void> {
    const { beside } = this;
    if (beside === null || !(await beside.router.mayLeave())) return;
    this.beside = null;
    if (this.app.pane === beside) this.focus(this.active);
    this.#release(beside);
  }

  /** Makes the view of the second pane a tab. */
  async moveToTab(): Promise<void> {
    const { beside } = this;
    if (beside === null || !(await beside.router.mayLeave())) return;
    const tab = this.#restored(snapshotOf(beside, this.titleOf(beside)));
    this.#insert(tab, this.tabs.indexOf(this.active) + 1);
    this.beside = null;
    this.activate(tab);
    this.#release(beside);
  }

  /** The state for the next start. */
  snapshot(): WindowTabs {
    const stored = this.tabs.slice(0, MAX_TABS);
    const { beside } = this;
    return {
      tabs: stored.map((tab) => snapshotOf(tab, this.titleOf(tab))),
      active: Math.max(0, stored.indexOf(this.active)),
      beside: beside === null ? null : snapshotOf(beside, this.titleOf(beside)),
      share: this.share,
    };
  }

  storeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.app.attempt(this.store()), SETTLE);
  }

  async store(): Promise<void> {
    clearTimeout(this.#timer);
    const tabs = this.snapshot();
    const text = JSON.stringify(tabs);
    if (text === this.#stored) return;
    this.#stored = text;
    await this.app.backend.desktop?.noteTabs(tabs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const pane of [...this.#stops.keys()]) this.#release(pane);
  }

  #replaceActive(next: Pane): void {
    const hadKeys = this.app.pane === this.active;
    this.active = next;
    if (hadKeys) this.focus(next);
  }

  /** An editor in the background is shown before it asks about its text. */
  async #mayClose(tab: Pane): Promise<boolean> {
    if (!isEditor(tab)) return true;
    this.activate(tab);
    return tab.router.mayLeave();
  }

  #insert(tab: Pane, index: number): void {
    this.tabs = this.tabs.toSpliced(index, 0, tab);
  }

  #create(address: string): Pane {
    const pane = this.app.createPane(new URL(address, location.href).href);
    this.#adopt(pane);
    this.#stops.set(pane, pane.router.start());
    return pane;
  }

  #restored(tab: WindowTab): Pane {
    const pane = this.#create(tab.address);
    restore(pane, tab);
    return pane;
  }

  #adopt(pane: Pane): void {
    pane.router.divert = (url) => this.#showEditor(pane, url);
  }

  /** A page is written in one place: shows the tab in which it is open already. */
  #showEditor(from: Pane | null, { pathname }: URL): boolean {
    const panes = this.beside === null ? this.tabs : [...this.tabs, this.beside];
    const editor = panes.find((pane) => pane !== from && isEditor(pane) && pane.router.url.pathname === pathname);
    if (editor === undefined) return false;
    // No editor opens that would take the typed keys.
    typedAhead.end();
    if (editor === this.beside) this.focus(editor);
    else this.activate(editor);
    return true;
  }

  #release(pane: Pane): void {
    this.#stops.get(pane)?.();
    this.#stops.delete(pane);
  }
}

function isEditor({ router }: Pane): boolean {
  return router.route.name === "edit";
}

function addressOf({ router: { url } }: Pane): string {
  return url.pathname + url.search;
}

function snapshotOf(pane: Pane, title: string): WindowTab {
  const { scroll = 0 } = (pane.router.kept ?? {}) as { scroll?: number };
  return { address: lastingAddress(pane.router), title: title.slice(0, MAX_TITLE), scroll: Math.max(0, Math.round(scroll)) };
}

function restore(pane: Pane, { title, scroll }: WindowTab): void {
  pane.view.title = title;
  if (scroll > 0) pane.router.keep({ scroll });
}

/**
 * The place of the shown tab: that of the tab with the address. A folder that was named at the start gets a tab of its
 * own at the end; any other address replaces that of the last shown tab.
 */
function indexToShow({ tabs, active }: WindowTabs, address: string): number {
  if (tabs[active]?.address === address) return active;
  const at = tabs.findIndex((tab) => tab.address === address);
  if (at !== -1) return at;
  return /^\/pictures\/[^/]/.test(address) ? tabs.length : active;
}
