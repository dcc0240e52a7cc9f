// One page being read: fetched, rendered, and kept up to date quietly, as reactive state.
import type { Asset, Backend, JournalEntry, PageMeta, PagePicture, PageSource } from "../api/backend";
import { type ApiError, hasCode } from "../api/errors";
import type { DeletedPage } from "../api/moves";
import { type Offer, offersOf } from "../editing/offers";
import { beginPage, type BegunPage, type PageWords, type RenderedPage } from "../markdown";
import { withFilesInBin } from "./files-in-bin";
import { withRoomForPictures } from "./room-for-pictures";

/** A page as it is shown. */
export interface ShownPage extends BegunPage {
  id: string;
  text: string;
  revision: number;
  /** The newest revision; the shown one may be older. */
  latest: number;
  author: string;
  time: string;
  deleted: boolean;
  /** The files that went into the bin with it; none of a page that stands somewhere, which has its own list of them. */
  files: Asset[];
}

/** What is known of a page before its room is entered. */
export interface KnownPage {
  id: string;
  revision: number;
  meta: PageMeta;
  /** Whether unsaved text waits for it. */
  unsaved: boolean;
  /** Asked for already. */
  source: Promise<PageSource>;
  /** The same when it has come. */
  arrived: PageSource | null;
}

export type ReadingState =
  | { kind: "loading" }
  | { kind: "ready"; page: ShownPage }
  /** No page here; the error knows of a draft, or where the page has moved, `deleted` what can come back. */
  | { kind: "none"; error: ApiError; deleted: DeletedPage[] }
  | { kind: "failed"; error: unknown };

export interface ReadingParts {
  backend: Backend;
  path: string;
  /** The revision that the address asks for; null for the newest. */
  revision: number | null;
  /** The id of a page in the bin, which is looked at there. */
  inBin: string | null;
  words: () => PageWords;
  /** Whether a page must be whole when it comes, as somebody goes to a place within it. */
  wantsWhole: () => boolean;
  /** Told of a page that is to be shown; what its text needs to have its places, if that is still to come. */
  partsOf: (page: RenderedPage) => Promise<void> | null;
  /** Told when the page that is shown stands elsewhere from now on. */
  onmoved?: (path: string) => void;
}

/** A lock that is held no longer, for a tick or a rename, is not worth a word that comes and goes. */
const PASSING = 400;

export class Reading {
  state = $state.raw<ReadingState>({ kind: "loading" });
  /** Who edits the page now. */
  editor = $state<string | null>(null);
  /** Unsaved text of one's own for this page. */
  unsaved = $state.raw<Offer[]>([]);
  readonly #parts: ReadingParts;
  #loading: AbortController | null = null;
  #telling: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  get page(): ShownPage | null {
    return this.state.kind === "ready" ? this.state.page : null;
  }

  /** Shows at once what has arrived already. What has its place above the text or in it must be there, too. */
  show(known: KnownPage | null): void {
    if (known === null || known.arrived === null || known.meta.page_info.locked || known.unsaved) return;
    try {
      const page = this.#shownFirst(this.#begun(known.id, known.arrived, known.meta));
      if (this.#parts.partsOf(page) === null) this.state = { kind: "ready", page };
    } catch (error) {
      this.state = { kind: "failed", error };
    }
  }

  /** What is `known` already is not asked again, and what is shown of it stays. */
  async load(known: KnownPage | null = null): Promise<void> {
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    try {
      if (known === null || this.page === null) {
        await this.#open(known, signal);
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const isNone = hasCode(error, "page_not_found", "draft", "deleted", "gone");
      const state = isNone ? await this.#none(error, signal) : { kind: "failed" as const, error };
      if (signal.aborted) return;
      this.state = state;
    }
    await this.#findUnsaved(signal);
  }

  /** All that one sees of the page at first comes at once: nothing moves when one has begun to read. */
  async #open(known: KnownPage | null, signal: AbortSignal): Promise<void> {
    const entries = this.#journal(signal);
    const page = this.#shownFirst(await this.#fetch(known, signal));
    const [unsaved] = await Promise.all([this.#offered(await entries, page.text, signal), this.#parts.partsOf(page)]);
    signal.throwIfAborted();
    this.unsaved = unsaved ?? [];
    this.state = { kind: "ready", page };
  }

  /** Renders what is still missing of the page that is shown. */
  complete(): void {
    if (this.page?.rest) this.state = { kind: "ready", page: completed(this.page) };
  }

  /** Again from the beginning, with what loading looks like. */
  async retry(): Promise<void> {
    this.state = { kind: "loading" };
    await this.load();
  }

  /** Looks again without disturbing the reader: what is shown stays if nothing has changed, or nothing comes. */
  async refresh(): Promise<void> {
    if (this.state.kind !== "ready") return this.load();
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    try {
      // Whole, as the reader may be anywhere in it.
      const page = completed(await this.#fetch(null, signal));
      const shown = this.page;
      if (shown?.revision !== page.revision || shown.text !== page.text || shown.latest !== page.latest) {
        this.state = { kind: "ready", page };
      }
    } catch (error) {
      if (!signal.aborted && hasCode(error, "page_not_found", "deleted", "gone")) {
        const state = await this.#none(error, signal);
        if (!signal.aborted) this.state = state;
      }
      // Anything else concerns the connection, which the frame tells; the text that was read stays.
    }
    if (!signal.aborted) await this.#findUnsaved(signal, this.unsaved);
  }

  /** Follows what the server tells; returns how to stop. Nobody has told yet what changed since the page was `known`. */
  listen(known: KnownPage | null = null): () => void {
    const { events } = this.#parts.backend;
    let unsure = known;
    const stops = [
      ...(known === null
        ? []
        : [
            events.onConnection((connected) => {
              if (!connected || unsure === null) return;
              void this.#lookAgain(unsure);
              unsure = null;
            }),
          ]),
      events.on("page.changed", ({ page_id, path, kind }) => {
        // Whoever comes to its old path is another page.
        if (this.#parts.inBin !== null && page_id !== this.#parts.inBin) return;
        const hasMoved = kind === "renamed" && page_id === this.page?.id && path !== this.#parts.path;
        if (hasMoved) this.#parts.onmoved?.(path);
        else if (page_id === this.page?.id || path === this.#parts.path) void this.refresh();
      }),
      events.on("page.locked", ({ page_id, user_name }) => {
        if (page_id !== this.page?.id) return;
        clearTimeout(this.#telling);
        this.#telling = setTimeout(() => (this.editor = user_name), PASSING);
      }),
      events.on("page.unlocked", ({ page_id }) => {
        if (page_id !== this.page?.id) return;
        clearTimeout(this.#telling);
        this.editor = null;
      }),
      events.on("resync", () => void this.refresh()),
    ];
    return () => {
      this.#loading?.abort();
      clearTimeout(this.#telling);
      for (const stop of stops) stop();
    };
  }

  /** Reads what is not any more as it was told. */
  async #lookAgain({ id, meta }: KnownPage): Promise<void> {
    const { backend, revision } = this.#parts;
    const now = await backend.pages.meta(id, revision ?? meta.revision_info?.revision ?? null).catch(() => null);
    if (JSON.stringify(now) !== JSON.stringify(meta)) await this.refresh();
  }

  async #fetch(known: KnownPage | null, signal: AbortSignal): Promise<ShownPage> {
    const { backend, path, revision: asked, inBin } = this.#parts;
    if (inBin !== null) return this.#fetchDeleted(inBin, signal);
    const { id, revision } = known ?? (await backend.pages.resolve(path, signal));
    const [source, meta] = await Promise.all([
      known?.source ?? backend.pages.source(id, asked ?? revision, signal),
      known?.meta ?? backend.pages.meta(id, asked ?? revision, signal),
    ]);
    const editor = meta.page_info.locked ? await this.#holder(id, signal) : null;
    signal.throwIfAborted();
    this.editor = editor;
    return this.#begun(id, source, meta);
  }

  async #fetchDeleted(id: string, signal: AbortSignal): Promise<ShownPage> {
    const { backend, revision } = this.#parts;
    const [source, meta, all] = await Promise.all([
      backend.pages.source(id, revision, signal),
      backend.pages.meta(id, revision, signal),
      backend.assets.list(id, true, signal),
    ]);
    signal.throwIfAborted();
    const files = all.filter(({ state }) => state === "deleted_with_page");
    const page = completed(this.#begun(id, source, meta));
    const blocks = page.blocks.map((block) => ({ ...block, html: withFilesInBin(block.html, id) }));
    return { ...page, blocks, files };
  }

  /** What was deleted here is an extra: where it can't be asked, there is still the way to write. */
  async #none(error: ApiError, signal: AbortSignal): Promise<ReadingState> {
    const { backend, path, inBin } = this.#parts;
    if (inBin !== null || !hasCode(error, "page_not_found")) return { kind: "none", error, deleted: [] };
    const deleted = await backend.moves.deletedAt(path, signal).catch(() => []);
    return { kind: "none", error, deleted };
  }

  /** An extra: a page is read without the name of who edits it; the lock itself is met when one edits. */
  async #holder(id: string, signal: AbortSignal): Promise<string | null> {
    try {
      return (await this.#parts.backend.locks.status(id, signal)).user_name ?? null;
    } catch {
      return null;
    }
  }

  #shownFirst(page: ShownPage): ShownPage {
    return this.#parts.wantsWhole() ? completed(page) : page;
  }

  #begun(id: string, source: PageSource, { page_info, revision_info, pictures }: PageMeta): ShownPage {
    if (!revision_info) throw new Error("BUG: a page has a source and no revision");
    const { path, words } = this.#parts;
    return {
      ...roomy(beginPage(source.text, path, words(), innerHeight), path, pictures),
      id,
      text: source.text,
      revision: revision_info.revision,
      latest: page_info.revision_scope?.latest ?? revision_info.revision,
      author: revision_info.user_name,
      time: revision_info.timestamp,
      deleted: source.deleted || page_info.deleted,
      files: [],
    };
  }

  /** `otherwise` is what is offered where nobody answers. */
  async #findUnsaved(signal: AbortSignal, otherwise: Offer[] = []): Promise<void> {
    const offers = await this.#offered(await this.#journal(signal), this.page?.text ?? "", signal);
    if (!signal.aborted) this.unsaved = offers ?? otherwise;
  }

  /** An extra: a page is read without it when the journal can't be asked, and the editor asks again. */
  async #journal(signal: AbortSignal): Promise<JournalEntry[] | null> {
    const { backend, path, inBin } = this.#parts;
    // It is offered where one can write.
    if (inBin !== null) return [];
    return backend.journal.list(path, signal).catch(() => null);
  }

  async #offered(entries: JournalEntry[] | null, text: string, signal: AbortSignal): Promise<Offer[] | null> {
    return entries && offersOf(this.#parts.backend.journal, entries, text, signal).catch(() => null);
  }
}

/** With room for its pictures. */
function roomy(page: BegunPage, path: string, pictures: readonly PagePicture[]): BegunPage {
  const withRoom = <T extends RenderedPage>(part: T): T => ({
    ...part,
    blocks: part.blocks.map((block) => ({ ...block, html: withRoomForPictures(block.html, path, pictures) })),
  });
  const { rest } = page;
  return { ...withRoom(page), rest: rest && (() => withRoom(rest())) };
}

function completed(page: ShownPage): ShownPage {
  return page.rest === null ? page : { ...page, ...page.rest(), rest: null };
}
