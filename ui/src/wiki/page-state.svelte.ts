// An open page: fetched, rendered, and kept up to date quietly, as reactive state.
import type { Asset, Backend, AutosaveEntry, Backlink, ChildPage, PageMeta, PagePicture, PageSource, Properties } from "../api/backend";
import { type ApiError, hasCode } from "../api/errors";
import type { DeletedPage } from "../api/moves";
import { type Offer, offersOf } from "../editing/autosave-offers";
import { beginPage, type BegunPage, type PageWords, type RenderedPage } from "../markdown";
import { withPastLinks } from "./past/past-links";
import { withTrashedFileLinks } from "./trashed-file-links";
import { withPictureSpace } from "./blocks/picture-space";

/** A page as it is shown. */
export interface DisplayedPage extends BegunPage {
  id: string;
  text: string;
  /** The tag of the text, for changes of it. */
  etag: string;
  /** The fields above the text. */
  properties: Properties;
  revision: number;
  /** The newest revision; the shown one may be older. */
  latest: number;
  author: string;
  time: string;
  deleted: boolean;
  /** True if the page is shown as of a moment, and can't be changed. */
  isPast: boolean;
  /** The title of the newest text; null if it has none. */
  title: string | null;
  /** The pages to which the newest text links, as far as they are known. */
  links: readonly Backlink[];
  /**
   * The files that were moved to the trash with it; empty for a page outside the trash, which has its own list of them.
   */
  files: Asset[];
}

/** The data known about a page before its view is entered. */
export interface PreloadedPage {
  id: string;
  revision: number;
  meta: PageMeta;
  /** True if it has unsaved text. */
  unsaved: boolean;
  /** A request that is already sent. */
  source: Promise<PageSource>;
  /** Its result, once it has arrived. */
  arrived: PageSource | null;
}

export type PageStatus =
  | { kind: "loading" }
  | { kind: "ready"; page: DisplayedPage }
  /**
   * No page here; the error states a draft, or the path to which the page has moved, `deleted` the pages that can be
   * restored, `below` the pages below.
   */
  | { kind: "none"; error: ApiError; deleted: DeletedPage[]; below: ChildPage[] }
  | { kind: "failed"; error: unknown };

export interface PageStateOptions {
  backend: Backend;
  path: string;
  /** The revision that the address names; null for the newest. */
  revision: number | null;
  /** The id of a page in the trash that is opened there. */
  inTrash: string | null;
  /** The moment as of which `backend` reads; null for the present. */
  at?: string | null;
  words: () => PageWords;
  /** True if a page must be complete at once, because a place within it is requested. */
  wantsWhole: () => boolean;
  /** Called with a page to be shown; returns the loading of the parts that its layout needs, if any are missing. */
  partsOf: (page: DisplayedPage) => Promise<void> | null;
  /** Called when the shown page has moved. */
  onmoved?: (path: string) => void;
}

/** A lock of a shorter duration, for a tick or a rename, is not shown. */
const SHORTEST_LOCK = 400;

export class PageState {
  state = $state.raw<PageStatus>({ kind: "loading" });
  /** The user who edits the page now. */
  editor = $state<string | null>(null);
  /** The user's own unsaved text for this page. */
  unsaved = $state.raw<Offer[]>([]);
  readonly #parts: PageStateOptions;
  #loading: AbortController | null = null;
  #editorTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: PageStateOptions) {
    this.#parts = parts;
  }

  get #isPast(): boolean {
    return typeof this.#parts.at === "string";
  }

  get page(): DisplayedPage | null {
    return this.state.kind === "ready" ? this.state.page : null;
  }

  /**
   * Shows data that has already arrived. Parts that affect the layout above or within the text must have arrived, too.
   */
  show(preloaded: PreloadedPage | null): void {
    if (preloaded === null || preloaded.arrived === null || preloaded.meta.page_info.locked || preloaded.unsaved) return;
    try {
      const page = this.#initialView(this.#beginning(preloaded.id, preloaded.arrived, preloaded.meta));
      if (this.#parts.partsOf(page) === null) this.state = { kind: "ready", page };
    } catch (error) {
      this.state = { kind: "failed", error };
    }
  }

  /** `preloaded` data is not requested again, and its shown parts stay. */
  async load(preloaded: PreloadedPage | null = null): Promise<void> {
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    try {
      if (preloaded === null || this.page === null) {
        await this.#open(preloaded, signal);
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const isNone = hasCode(error, "page_not_found", "draft", "deleted", "gone");
      const state = isNone ? await this.#notFound(error, signal) : { kind: "failed" as const, error };
      if (signal.aborted) return;
      this.state = state;
    }
    await this.#findUnsaved(signal);
  }

  /** Shows all initially visible parts at once: nothing moves after the reader has started. */
  async #open(preloaded: PreloadedPage | null, signal: AbortSignal): Promise<void> {
    const entries = this.#autosaveEntries(signal);
    const page = this.#initialView(await this.#fetch(preloaded, signal));
    const [unsaved] = await Promise.all([this.#offered(await entries, page.text, signal), this.#parts.partsOf(page)]);
    signal.throwIfAborted();
    this.unsaved = unsaved ?? [];
    this.state = { kind: "ready", page };
  }

  /** Renders the missing rest of the shown page. */
  complete(): void {
    if (this.page?.rest) this.state = { kind: "ready", page: completed(this.page) };
  }

  /** Reads everything again, with the loading state. */
  async retry(): Promise<void> {
    this.state = { kind: "loading" };
    await this.load();
  }

  /** Reloads without disturbing the reader: the shown page stays if nothing has changed, or the request fails. */
  async refresh(): Promise<void> {
    if (this.state.kind !== "ready") return this.load();
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    try {
      // Complete, as the reader may be anywhere in it.
      const page = completed(await this.#fetch(null, signal));
      const current = this.page;
      if (current?.revision !== page.revision || current.text !== page.text || current.latest !== page.latest) {
        this.state = { kind: "ready", page };
      }
    } catch (error) {
      if (!signal.aborted && hasCode(error, "page_not_found", "deleted", "gone")) {
        const state = await this.#notFound(error, signal);
        if (!signal.aborted) this.state = state;
      }
      // Any other error concerns the connection, which the frame reports; the shown text stays.
    }
    if (!signal.aborted) await this.#findUnsaved(signal, this.unsaved);
  }

  /**
   * Follows the server's events; returns a function that stops it. Changes since the page was `preloaded` have not been
   * reported yet.
   */
  listen(preloaded: PreloadedPage | null = null): () => void {
    const { events } = this.#parts.backend;
    // The past does not change while it is read.
    if (this.#isPast) return () => this.#loading?.abort();
    let unsure = preloaded;
    const stops = [
      ...(preloaded === null
        ? []
        : [
            events.onConnection((connected) => {
              if (!connected || unsure === null) return;
              void this.#refreshIfChanged(unsure);
              unsure = null;
            }),
          ]),
      events.on("page.changed", ({ page_id, path, kind }) => {
        // A page that moves to its old path is another page.
        if (this.#parts.inTrash !== null && page_id !== this.#parts.inTrash) return;
        const hasMoved = kind === "renamed" && page_id === this.page?.id && path !== this.#parts.path;
        if (hasMoved) this.#parts.onmoved?.(path);
        else if (page_id === this.page?.id || path === this.#parts.path || (this.state.kind === "none" && path.startsWith(`${this.#parts.path}/`))) void this.refresh();
      }),
      events.on("page.locked", ({ page_id, user_name }) => {
        if (page_id !== this.page?.id) return;
        clearTimeout(this.#editorTimer);
        this.#editorTimer = setTimeout(() => (this.editor = user_name), SHORTEST_LOCK);
      }),
      events.on("page.unlocked", ({ page_id }) => {
        if (page_id !== this.page?.id) return;
        clearTimeout(this.#editorTimer);
        this.editor = null;
      }),
      events.on("resync", () => void this.refresh()),
    ];
    return () => {
      this.#loading?.abort();
      clearTimeout(this.#editorTimer);
      for (const stop of stops) stop();
    };
  }

  /** Refreshes the page if its metadata has changed since it was preloaded. */
  async #refreshIfChanged({ id, meta }: PreloadedPage): Promise<void> {
    const { backend, revision } = this.#parts;
    const now = await backend.pages.meta(id, revision ?? meta.revision_info?.revision ?? null).catch(() => null);
    if (JSON.stringify(now) !== JSON.stringify(meta)) await this.refresh();
  }

  async #fetch(preloaded: PreloadedPage | null, signal: AbortSignal): Promise<DisplayedPage> {
    const { backend, path, revision: requestedRevision, inTrash } = this.#parts;
    if (inTrash !== null) return this.#fetchDeleted(inTrash, signal);
    const { id, revision } = preloaded ?? (await backend.pages.resolve(path, signal));
    const [source, meta] = await Promise.all([
      preloaded?.source ?? backend.pages.source(id, requestedRevision ?? revision, signal),
      preloaded?.meta ?? backend.pages.meta(id, requestedRevision ?? revision, signal),
    ]);
    const editor = meta.page_info.locked ? await this.#holder(id, signal) : null;
    signal.throwIfAborted();
    this.editor = editor;
    const page = this.#beginning(id, source, meta);
    const { at } = this.#parts;
    if (typeof at !== "string") return page;
    const whole = completed(page);
    return { ...whole, blocks: whole.blocks.map((block) => ({ ...block, html: withPastLinks(block.html, at) })) };
  }

  async #fetchDeleted(id: string, signal: AbortSignal): Promise<DisplayedPage> {
    const { backend, revision } = this.#parts;
    const [source, meta, all] = await Promise.all([
      backend.pages.source(id, revision, signal),
      backend.pages.meta(id, revision, signal),
      backend.assets.list(id, true, signal),
    ]);
    signal.throwIfAborted();
    const files = all.filter(({ state }) => state === "deleted_with_page");
    const page = completed(this.#beginning(id, source, meta));
    const blocks = page.blocks.map((block) => ({ ...block, html: withTrashedFileLinks(block.html, id) }));
    return { ...page, blocks, files };
  }

  /** Deleted pages, and those below, are optional: if a request fails, writing is still offered. */
  async #notFound(error: ApiError, signal: AbortSignal): Promise<PageStatus> {
    const { backend, path, inTrash } = this.#parts;
    if (inTrash !== null || !hasCode(error, "page_not_found")) return { kind: "none", error, deleted: [], below: [] };
    const { moves } = backend;
    const deletedAt = this.#isPast ? [] : moves.deletedAt(path, signal).catch(() => []);
    const [deleted, below] = await Promise.all([deletedAt, moves.children(path, signal).catch(() => [])]);
    return { kind: "none", error, deleted, below };
  }

  /** Optional: a page is readable without the name of its editor; editing reveals the lock itself. */
  async #holder(id: string, signal: AbortSignal): Promise<string | null> {
    try {
      return (await this.#parts.backend.locks.status(id, signal)).user_name ?? null;
    } catch {
      return null;
    }
  }

  #initialView(page: DisplayedPage): DisplayedPage {
    return this.#parts.wantsWhole() ? completed(page) : page;
  }

  #beginning(id: string, source: PageSource, { page_info, revision_info, pictures, links, properties }: PageMeta): DisplayedPage {
    if (!revision_info) throw new Error("BUG: a page has a source and no revision");
    const { path, words } = this.#parts;
    const titles = new Map(links.map((page) => [page.path, page.title]));
    const titled: PageWords = { ...words(), titleOfPage: (linked) => titles.get(linked) ?? null };
    return {
      ...withSpace(beginPage(source.text, path, titled, innerHeight), path, pictures),
      id,
      text: source.text,
      etag: source.etag,
      properties,
      revision: revision_info.revision,
      latest: page_info.revision_scope?.latest ?? revision_info.revision,
      author: revision_info.user_name,
      time: revision_info.timestamp,
      deleted: source.deleted || page_info.deleted,
      isPast: this.#isPast,
      title: page_info.title ?? null,
      links,
      files: [],
    };
  }

  /** `otherwise` is offered if the request fails. */
  async #findUnsaved(signal: AbortSignal, otherwise: Offer[] = []): Promise<void> {
    const offers = await this.#offered(await this.#autosaveEntries(signal), this.page?.text ?? "", signal);
    if (!signal.aborted) this.unsaved = offers ?? otherwise;
  }

  /** Optional: a page is readable without its autosave entries, and the editor requests them again. */
  async #autosaveEntries(signal: AbortSignal): Promise<AutosaveEntry[] | null> {
    const { backend, path, inTrash } = this.#parts;
    // It is offered where editing is possible.
    if (inTrash !== null || this.#isPast) return [];
    return backend.autosave.list(path, signal).catch(() => null);
  }

  async #offered(entries: AutosaveEntry[] | null, text: string, signal: AbortSignal): Promise<Offer[] | null> {
    return entries && offersOf(this.#parts.backend.autosave, entries, text, signal).catch(() => null);
  }
}

/** Reserves room for the page's pictures. */
function withSpace(page: BegunPage, path: string, pictures: readonly PagePicture[]): BegunPage {
  const withSpace = <T extends RenderedPage>(part: T): T => ({
    ...part,
    blocks: part.blocks.map((block) => ({ ...block, html: withPictureSpace(block.html, path, pictures) })),
  });
  const { rest } = page;
  return { ...withSpace(page), rest: rest && (() => withSpace(rest())) };
}

function completed(page: DisplayedPage): DisplayedPage {
  return page.rest === null ? page : { ...page, ...page.rest(), rest: null };
}
