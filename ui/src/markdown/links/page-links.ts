// Resolves the links to pages in rendered text: finds the links that lead to a page, and the current paths of pages
// named by id. While the text is shown, its links follow changes of the pages.
import type { PagesApi } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { ApiEvents, EventMap } from "../../api/events/events";
import { bareLabel, shownTail, tailOf } from "../rules/links/wiki-links";
import { decodePath, editUrl, nameOfPage, pastUrl, wikiUrl, withoutMoment } from "./page-path";

/** The state of a link's target; "unsure" if the server gave no answer, in which case the link stays unmarked. */
type Finding =
  | { kind: "page"; id: string; path: string; title?: string | null }
  /** The page is in the trash; `path` is its former path. */
  | { kind: "deleted"; id: string; path: string }
  | { kind: "none" }
  | { kind: "unsure" };

/** The texts for links whose target has no name or no page, and the address of a page in the trash. */
export interface MissingPages {
  unknownTitle: () => string;
  deletedTitle: () => string;
  /** A short mark beside the link. */
  deletedMark: () => string;
  trashedPageUrl: (id: string) => string;
  /** The name of the top page if it has no title. */
  topName: () => string;
}

type PageChange = EventMap["page.changed"];

/** The name by which a link identifies its page. */
type Name = `path ${string}` | `id ${string}`;

/** The classes of links whose pages are missing, and their test ids. */
const TEST_IDS = { none: "link-unknown", trashed: "link-deleted" } as const;

/** The maximum number of concurrent requests. A browser has six connections to a host, and other requests need some. */
const MAX_CONCURRENT = 6;

export class PageLinks {
  readonly #findings = new Map<Name, Promise<Finding>>();
  /** The pages that names led to at their last lookup. */
  readonly #targets = new Map<Name, string>();
  /** The number of changes to the target of a name. An answer from before a change is outdated. */
  readonly #changes = new Map<Name, number>();
  /** The titles of pages, by id. */
  readonly #pageTitles = new Map<string, string | null>();
  /** The titles that unknown links had before. */
  readonly #titles = new WeakMap<HTMLAnchorElement, string | null>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(
    private readonly pages: Pick<PagesApi, "resolve" | "path">,
    private readonly missing: MissingPages,
    private readonly signal: AbortSignal,
    /** The moment as of which pages are read; null for the present. */
    private readonly at: string | null = null,
  ) {}

  /** Resolves every new link in `root`. Each page is requested once. */
  async mark(root: ParentNode): Promise<void> {
    const links = linksIn(root).filter((link) => !link.hasAttribute("data-looked-up"));
    await Promise.all(
      links.map((link) => {
        link.dataset["lookedUp"] = "";
        const { wikiPath } = link.dataset;
        if (wikiPath !== undefined) link.dataset["tail"] = withoutMoment(link.getAttribute("href")?.slice(wikiUrl(wikiPath).length) ?? "");
        const bareTail = this.#bareTail(link);
        if (bareTail !== null) link.dataset["bareTail"] = bareTail;
        return this.#resolve(link);
      }),
    );
  }

  /** Takes the present titles of pages from an answer, so that they are not requested. */
  know(pages: readonly { page_id: string; path: string; title?: string | null }[]): void {
    for (const { page_id: id, path, title = null } of pages) {
      this.#pageTitles.set(id, title);
      this.#findings.set(`path ${path}`, Promise.resolve({ kind: "page", id, path, title }));
      this.#targets.set(`path ${path}`, id);
    }
  }

  /** For a link without a text of its own, the part of its text that follows the title of the page; otherwise null. */
  #bareTail(link: HTMLAnchorElement): string | null {
    const { wikiPath, pageId } = link.dataset;
    const text = link.textContent.trim();
    if (wikiPath === undefined) return text.toLowerCase() === `page:${pageId}`.toLowerCase() ? "" : null;
    // The rule for these links writes their targets as their titles.
    const target = link.title;
    if (!target.startsWith("/")) return null;
    const title = this.#pageTitles.get(this.#targets.get(`path ${wikiPath}`) ?? "") ?? null;
    const isBare = text === bareLabel(target).trim() || (title !== null && text === bareLabel(target, () => title).trim());
    return isBare ? shownTail(tailOf(target)) : null;
  }

  /** Drops all findings, which may be outdated after a page was written or deleted. */
  forget(): void {
    this.#findings.clear();
  }

  /**
   * Makes the links in `root` follow the server's events. `bound` is true for a saved text: each of its links belongs
   * to one page, and not to another page that takes the path after that page was deleted.
   */
  follow(events: Pick<ApiEvents, "on">, root: () => ParentNode | null, { bound }: { bound: boolean }): void {
    const links = () => linksIn(root() ?? document.createDocumentFragment()).filter((link) => link.hasAttribute("data-looked-up"));
    const stops = [
      events.on("page.changed", (change) => {
        const names = new Set([...this.#findings.keys(), ...links().map(nameIn)].filter((name) => this.#concerns(name, change)));
        const concerned = links().filter((link) => names.has(nameIn(link)) || this.#isTitled(link, change));
        for (const link of concerned) names.add(nameIn(link));
        for (const link of concerned) if (bound && change.kind === "deleted") this.#bind(link, change.page_id);
        for (const name of names) this.#change(name, change);
        for (const link of concerned) void this.#resolve(link);
      }),
      events.on("resync", () => {
        const names = new Set(links().map(nameIn));
        this.forget();
        for (const name of names) this.#outdate(name);
        for (const link of links()) void this.#resolve(link);
      }),
    ];
    this.signal.addEventListener("abort", () => {
      for (const stop of stops) stop();
    });
  }

  #concerns(name: Name, { page_id, path, kind }: PageChange): boolean {
    const target = this.#targets.get(name);
    // An edit of the text does not change a page's path.
    if (kind === "saved" || kind === "compacted") return name === `path ${path}` && target === undefined;
    return name === `path ${path}` || name === `id ${page_id}` || target === page_id;
  }

  /** True if the change may be of the title that the link shows. */
  #isTitled(link: HTMLAnchorElement, { page_id, kind }: PageChange): boolean {
    return kind === "saved" && link.dataset["bareTail"] !== undefined && this.#targets.get(nameIn(link)) === page_id;
  }

  /** Binds a link by path to a page that was moved to the trash: if the page is restored, its path may differ. */
  #bind(link: HTMLAnchorElement, id: string): void {
    if (this.#targets.get(nameIn(link)) !== id) return;
    delete link.dataset["wikiPath"];
    link.dataset["pageId"] = id;
  }

  /**
   * Updates a finding. A link follows its page after a rename. After any other change the server is asked for the
   * target again.
   */
  #change(name: Name, { page_id: id, path, kind }: PageChange): void {
    this.#outdate(name);
    const moved = kind === "renamed" && this.#targets.get(name) === id;
    if (moved) this.#findings.set(name, Promise.resolve({ kind: "page", id, path }));
    else this.#findings.delete(name);
  }

  #outdate(name: Name): void {
    this.#changes.set(name, (this.#changes.get(name) ?? 0) + 1);
  }

  async #resolve(link: HTMLAnchorElement): Promise<void> {
    const name = nameIn(link);
    const changes = this.#changes.get(name);
    const finding = await this.#find(name);
    if (this.signal.aborted || this.#changes.get(name) !== changes) return;
    if (finding.kind === "page") this.#targets.set(name, finding.id);
    else if (finding.kind !== "unsure") this.#targets.delete(name);
    this.#settle(link, finding);
  }

  #find(name: Name): Promise<Finding> {
    const cached = this.#findings.get(name);
    if (cached !== undefined) return cached;
    const finding = this.#whenFree(() => this.#ask(name)).catch((error: unknown): Finding => {
      const deleted = deletedIn(name, error);
      if (deleted !== null) return deleted;
      if (hasCode(error, "page_not_found", "not_found", "draft", "gone")) return { kind: "none" };
      // A link whose lookup failed stays as it is; following it shows the error.
      if (this.#findings.get(name) === finding) this.#findings.delete(name);
      return { kind: "unsure" };
    });
    this.#findings.set(name, finding);
    return finding;
  }

  async #ask(name: Name): Promise<Finding> {
    const named = name.slice(name.indexOf(" ") + 1);
    if (name.startsWith("id ")) {
      const path = await this.pages.path(named, this.signal);
      const { title = null } = await this.pages.resolve(path, this.signal);
      return { kind: "page", id: named, path, title };
    }
    const { id, title = null } = await this.pages.resolve(named, this.signal);
    return { kind: "page", id, path: named, title };
  }

  async #whenFree<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_CONCURRENT) await new Promise<void>((free) => this.#waiting.push(free));
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #settle(link: HTMLAnchorElement, finding: Finding): void {
    const { wikiPath, tail = "" } = link.dataset;
    if (finding.kind === "page") {
      this.#unmark(link);
      link.setAttribute("href", this.#address(finding.path, tail));
      if (wikiPath !== undefined && wikiPath !== finding.path) this.#rename(link, finding);
      this.#label(link, finding);
    } else if (finding.kind === "deleted") {
      // The address of a path offers to restore the page or to write a new one. If another page has the path, the trash
      // shows the deleted page.
      link.setAttribute("href", wikiPath === finding.path ? editUrl(wikiPath) : this.missing.trashedPageUrl(finding.id));
      nameAfter(link, finding);
      if (wikiPath !== undefined && wikiPath !== finding.path) bindToTrashed(link, wikiPath, finding);
      this.#mark(link, "trashed", this.missing.deletedTitle());
      link.dataset["mark"] = this.missing.deletedMark();
    } else if (finding.kind === "none") {
      if (wikiPath !== undefined) link.setAttribute("href", this.at === null ? editUrl(wikiPath) : this.#address(wikiPath, tail));
      else link.removeAttribute("href");
      this.#mark(link, "none", this.missing.unknownTitle());
    }
  }

  #address(path: string, tail: string): string {
    return this.at === null ? wikiUrl(path) + tail : pastUrl(path, this.at, tail);
  }

  /** Shows the title of the page in a link without a text of its own, and the path in its tooltip. */
  #label(link: HTMLAnchorElement, { id, path, title }: { id: string; path: string; title?: string | null }): void {
    if (title !== undefined) this.#pageTitles.set(id, title);
    const { bareTail, tail = "" } = link.dataset;
    if (bareTail === undefined) return;
    const name = this.#pageTitles.get(id) || nameOfPage(path) || this.missing.topName();
    if (link.textContent !== name + bareTail) link.textContent = name + bareTail;
    link.title = path + decodePath(tail);
  }

  #mark(link: HTMLAnchorElement, state: keyof typeof TEST_IDS, title: string): void {
    if (!this.#titles.has(link)) this.#titles.set(link, link.getAttribute("title"));
    clearMark(link);
    link.classList.add(state);
    link.dataset["testid"] = TEST_IDS[state];
    link.title = title;
  }

  /** Records the page's new path. */
  #rename(link: HTMLAnchorElement, { id, path }: { id: string; path: string }): void {
    link.dataset["wikiPath"] = path;
    this.#targets.set(`path ${path}`, id);
  }

  #unmark(link: HTMLAnchorElement): void {
    const title = this.#titles.get(link);
    if (title === undefined) return;
    this.#titles.delete(link);
    clearMark(link);
    if (title === null) link.removeAttribute("title");
    else link.title = title;
  }
}

function clearMark(link: HTMLAnchorElement): void {
  link.classList.remove(...Object.keys(TEST_IDS));
  link.removeAttribute("data-testid");
  link.removeAttribute("data-mark");
}

/** Binds a link that names a page as one in the trash, `/path@trash`, to that page, and shows the page's own name. */
function bindToTrashed(link: HTMLAnchorElement, wikiPath: string, { id, path }: { id: string; path: string }): void {
  delete link.dataset["wikiPath"];
  link.dataset["pageId"] = id;
  if (link.textContent.trim() === nameOfPage(wikiPath)) link.textContent = nameOfPage(path);
}

/** Returns the page in the trash that an error names, if it explains the missing page. */
function deletedIn(name: Name, error: unknown): Finding | null {
  const named = name.slice(name.indexOf(" ") + 1);
  if (hasCode(error, "deleted") && error.details.path !== undefined) {
    return { kind: "deleted", id: named, path: error.details.path };
  }
  if (hasCode(error, "page_not_found") && error.details.pageId !== undefined) {
    return { kind: "deleted", id: error.details.pageId, path: error.details.path ?? named };
  }
  return null;
}

/** Replaces the text of a link that shows the id of its page by the name of the page. */
function nameAfter(link: HTMLAnchorElement, { id, path }: { id: string; path: string }): void {
  if (link.textContent.trim().toLowerCase() === `page:${id}`.toLowerCase()) link.textContent = nameOfPage(path) || path;
}

function linksIn(root: ParentNode): HTMLAnchorElement[] {
  return [...root.querySelectorAll<HTMLAnchorElement>("a[data-wiki-path], a[data-page-id]")];
}

function nameIn({ dataset: { wikiPath, pageId = "" } }: HTMLAnchorElement): Name {
  return wikiPath === undefined ? `id ${pageId}` : `path ${wikiPath}`;
}
