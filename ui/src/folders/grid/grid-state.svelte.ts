// The state of the grid: its layout, its scroll position, and the cell with the focus.
import { tick, untrack } from "svelte";
import type { FolderEntry } from "../../api/backend";
import { drawnRows, type RowWindow } from "../../widgets/tree/virtual";
import { cellSections } from "../grid-layout/grid-cells";
import { cellsOf, contentTop, gridShape, listShape, PADDING, renderedRows, rowOf, scrollToShowCell, scrollTopFor, sectionAt, sectionOfCell, shiftOf, stableWindow, topOf, visibleRows } from "../grid-layout/grid-geometry";
import { drawnSections } from "../grid-layout/grid-sections";
import { anchorAt, isFullyVisible, ResizeAnchor, scrollTopOfAnchor } from "../grid-layout/scroll-anchor";
import type { Listing } from "../listing/listing.svelte";
import type { ScrollHold } from "../listing/scroll-hold";
import { VisibleMetadata } from "../listing/visible-metadata";
import type { GridPosition, ScrollAnchor } from "../session/session-memory";

/** The scroll speed above which nothing is requested until scrolling rests, in view heights a second. */
const RUSH = 4;
/** The time after which scrolling rests, in milliseconds. */
const SCROLL_PAUSE = 120;

/** The scrolled element. */
export interface GridElement {
  /** The actual position may differ from an assigned one: engines limit and round it. */
  scrollTop: number;
  focusCell: (index: number) => void;
  /** True if a cell has the focus. */
  hasFocus: () => boolean;
  /** True if the focus is nowhere in particular. */
  mayTakeFocus: () => boolean;
}

export interface GridOptions {
  listing: Listing;
  /** Returns the minimum width of a cell. */
  size: () => number;
  /** True for a list, in which each cell fills a row. */
  isList?: () => boolean;
  /** The previous position. */
  start: GridPosition;
  /** Returns null until the element exists. */
  element: () => GridElement | null;
  /** Called with the cell that gets the focus. */
  onfocus: (index: number) => void;
  /** Called with each scroll position. */
  onanchor: (anchor: ScrollAnchor) => void;
}

/** The entry at the top since the last scroll. */
interface TopEntry {
  entry: FolderEntry;
  /** The distance of its row above the view. */
  above: number;
  /** The height of the rows then: with another one the distance is invalid. */
  rowHeight: number;
}

export class GridState {
  width = $state(0);
  height = $state(0);
  scrollTop = $state(0);
  /** False during fast scrolling. */
  isCalm = $state(true);
  #active: number = $state(0);
  readonly #cells = cellSections();
  readonly #metadata: VisibleMetadata;
  readonly #resizeAnchor = new ResizeAnchor();
  /** True once the user has moved the focus. Until then it stays on the first entry, even if that changes. */
  #isMoved = false;
  #hasStarted = false;
  #topEntry: TopEntry | null = null;
  /** The last scroll position that the grid itself has set. */
  #ownScrollTop = -1;
  #isHeld = false;
  #scrolledAt = 0;
  #resting: ReturnType<typeof setTimeout> | undefined;

  readonly shape = $derived.by(() => {
    const { listing, size, isList } = this.options;
    if (isList?.() === true) return listShape(this.width, listing.total, listing.groups);
    return gridShape(this.width, size(), listing.total, listing.groups);
  });
  readonly #rendered = $derived.by(stableWindow(() => renderedRows(this.shape, this.scrollTop, this.height)));
  /** The rows that are at least partly visible. */
  readonly visible: RowWindow = $derived.by(stableWindow(() => visibleRows(this.shape, this.scrollTop, this.height)));
  readonly shift = $derived.by(() => shiftOf(this.shape, this.scrollTop, this.height));
  /** The cell in the tab order. */
  readonly active = $derived.by(() => Math.min(this.#active, Math.max(0, this.options.listing.total - 1)));
  readonly sections = $derived.by(() => {
    const rows = drawnRows(this.#rendered, rowOf(this.shape, this.active), this.shape.rows);
    return this.#cells(this.shape, drawnSections(this.shape, rows), (index) => this.options.listing.at(index));
  });
  readonly isGrouped = $derived.by(() => this.shape.heading > 0);
  /**
   * The groups at the top of the view whose own headings have scrolled out. Their names stay there until the next
   * heading pushes them away.
   */
  readonly stickyGroups = $derived.by(() => {
    const top = contentTop(this.shape, this.scrollTop, this.height);
    const section = this.isGrouped ? sectionAt(this.shape, top) : undefined;
    if (!section || top - PADDING <= section.top) return null;
    const next = this.shape.sections[section.at + 1];
    return { sections: this.shape.sections.slice(section.lead, section.at + 1), away: Math.min(0, (next?.top ?? Infinity) + PADDING - top - this.shape.heading) };
  });
  /** The group of the cell in the tab order. */
  readonly activeGroup = $derived.by(() => (this.isGrouped ? this.options.listing.groups[sectionOfCell(this.shape, this.active)?.at ?? 0] : undefined));

  constructor(private readonly options: GridOptions) {
    this.#active = options.start.focus;
    this.#metadata = new VisibleMetadata(options.listing);
  }

  /** True while the folder is read again, which restores the focus itself. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Requests the entries of the rendered rows. */
  requestEntries(): void {
    const [{ shape }, { first, end }] = [this, this.#rendered];
    if (end > first) this.options.listing.request(cellsOf(shape, first).first, cellsOf(shape, end - 1).end);
  }

  /** Requests missing header data of the visible rows while scrolling rests. */
  requestMetadata(): void {
    const { shape, visible } = this;
    // More headers may have been read.
    void this.options.listing.headerUpdates;
    const isLooking = this.isCalm && this.width > 0 && visible.end > visible.first;
    const [first, end] = [cellsOf(shape, visible.first).first, cellsOf(shape, visible.end - 1).end];
    untrack(() => (isLooking ? this.#metadata.setRange(first, end) : this.#metadata.pause()));
  }

  /** Handles another layout: the top entry stays in place. The first layout restores the previous position. */
  layOut(): void {
    const { shape, height, width } = this;
    const element = this.options.element();
    const isReady = height > 0 && width > 0 && this.options.listing.total > 0;
    if (element && isReady) untrack(() => this.#place(element, shape, height));
  }

  dispose(): void {
    this.#metadata.dispose();
    clearTimeout(this.#resting);
  }

  /** Handles a scroll event at a time in milliseconds. */
  scrolled(now: number): void {
    const element = this.options.element();
    if (!element) return;
    if (element.scrollTop !== this.#ownScrollTop) this.#topEntry = null;
    const speed = Math.abs(element.scrollTop - this.scrollTop) / Math.max(1, now - this.#scrolledAt);
    this.#scrolledAt = now;
    this.scrollTop = element.scrollTop;
    // Reported at once and not after scrolling rests: the user may have left by then.
    this.options.onanchor(anchorAt(this.shape, this.scrollTop, this.height));
    this.isCalm = (speed * 1000) / Math.max(1, this.height) < RUSH;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => (this.isCalm = true), SCROLL_PAUSE);
  }

  /** Scrolls to an offset in the content. */
  scrollTo(top: number): void {
    this.#scroll(scrollTopFor(this.shape, top, this.height));
  }

  /** Makes a cell the active one after the user's move. */
  moveTo(index: number): void {
    this.#isMoved = true;
    this.follow(index);
  }

  /** Makes a cell the active one, as its entry or the focus has moved there. */
  follow(index: number): void {
    this.#active = index;
    this.options.onfocus(index);
  }

  /** Scrolls a cell into view. */
  show(index: number): void {
    const element = this.options.element();
    if (element) this.#scroll(scrollToShowCell(this.shape, index, element.scrollTop, this.height));
  }

  /** Focuses a cell, even outside the view; by default the active one. */
  async focus(wanted?: number): Promise<void> {
    const index = wanted ?? this.active;
    if (wanted === undefined) this.follow(index);
    else this.moveTo(index);
    this.show(index);
    await tick();
    this.options.element()?.focusCell(index);
  }

  /** Focuses the pressed cell without scrolling, as another press may follow. */
  press(index: number): void {
    this.moveTo(index);
    this.options.element()?.focusCell(index);
  }

  /** Keeps the visible and the focused entries in place while others are added or removed. */
  readonly hold = (): ScrollHold => {
    const { listing } = this.options;
    const top = contentTop(this.shape, this.scrollTop, this.height);
    const candidates = this.#candidates(top);
    const { active } = this;
    const successors = listing.entriesFrom(active);
    const staysFirst = listing.progress.isPartial && active === 0 && top <= 0 && !this.#isMoved;
    const hadFocus = this.options.element()?.hasFocus() ?? false;
    this.#isHeld = true;
    const release = async () => {
      if (!staysFirst) this.#active = listing.indexOfFirst(successors, active) ?? this.#active;
      const stays = candidates.find(({ index, entry }) => listing.indexOf(entry, index) !== null);
      const to = stays && listing.indexOf(stays.entry, stays.index);
      await tick();
      this.#isHeld = false;
      const element = this.options.element();
      if (!element) return;
      if (stays && typeof to === "number") {
        this.#topEntry = { entry: stays.entry, above: stays.above, rowHeight: this.shape.rowHeight };
        this.scrollTo(topOf(this.shape, rowOf(this.shape, to)) + stays.above);
        this.#ownScrollTop = this.scrollTop;
      }
      if (hadFocus) element.focusCell(this.active);
    };
    return { anchor: candidates[0] ?? null, release };
  };

  /** Returns the visible entries, that at the top since the last scroll first. At the top, new entries stay visible. */
  #candidates(top: number): { index: number; entry: FolderEntry; above: number }[] {
    const { shape, visible } = this;
    const { listing } = this.options;
    if (top <= 0) return [];
    const first = cellsOf(shape, visible.first).first;
    const end = visible.end > visible.first ? cellsOf(shape, visible.end - 1).end : first;
    const candidates = Array.from({ length: end - first }, (_, at) => first + at).flatMap((index) => {
      const entry = listing.at(index);
      return entry ? [{ index, entry, above: top - topOf(shape, rowOf(shape, index)) }] : [];
    });
    const before = this.#topEntry?.rowHeight === shape.rowHeight ? this.#topEntry : null;
    const index = before && listing.indexOf(before.entry, first);
    if (before && index !== null) candidates.unshift({ index, entry: before.entry, above: before.above });
    return candidates;
  }

  #place(element: GridElement, shape: GridState["shape"], height: number): void {
    const to = this.#resizeAnchor.follow(shape, height, this.scrollTop, this.active);
    if (to !== null) {
      this.#scroll(to);
      this.#resizeAnchor.record(this.scrollTop);
    }
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#restore();
    // A keyboard user continues here: the focus was lost with the previous folder.
    if (element.mayTakeFocus()) void this.focus();
  }

  /**
   * Restores the previous position. If the focus was scrolled out of view, it moves to the top cell; otherwise it is
   * shown, too.
   */
  #restore(): void {
    const { top, hasScrolled } = this.options.start;
    if (top) {
      const index = Math.min(top.index, this.options.listing.total - 1);
      this.#scroll(scrollTopOfAnchor(this.shape, { ...top, index }, this.height));
      if (hasScrolled && !isFullyVisible(this.shape, this.active, this.scrollTop, this.height)) this.#active = index;
    }
    if (!hasScrolled) this.show(this.active);
  }

  #scroll(scrollTop: number): void {
    const element = this.options.element();
    if (!element) return;
    element.scrollTop = scrollTop;
    this.scrollTop = element.scrollTop;
  }
}
