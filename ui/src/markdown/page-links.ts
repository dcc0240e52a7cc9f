// Looks at the links to pages in rendered text: which of them lead to a page, and where pages named by id are now.
// While the text is shown, they go along with what happens to the pages.
import type { PagesApi } from "../api/backend";
import { hasCode } from "../api/errors";
import type { ApiEvents, EventMap } from "../api/events";
import { editUrl, nameOfPage, wikiUrl } from "./page-path";

/** What is known of a link's target; "unsure" when the server gave no answer, and then nothing is claimed. */
type Finding =
  | { kind: "page"; id: string; path: string; title?: string | null }
  /** In the trash; `path` is where it was. */
  | { kind: "deleted"; id: string; path: string }
  | { kind: "none" }
  | { kind: "unsure" };

/** What a link says of a target without a name or a page, and where a page in the trash is shown. */
export interface MissingPages {
  unknownTitle: () => string;
  deletedTitle: () => string;
  deletedUrl: (id: string) => string;
  /** The name of the top page, where it has no title. */
  topName: () => string;
}

type PageChange = EventMap["page.changed"];

/** How a link names its page. */
type Name = `path ${string}` | `id ${string}`;

/** The path of the top page. */
const TOP = "/";

/** A browser has six connections to a host, and other things want some: no more questions than this at once. */
const AT_ONCE = 6;

export class PageLinks {
  readonly #findings = new Map<Name, Promise<Finding>>();
  /** The pages to which names led when they were last looked up. */
  readonly #targets = new Map<Name, string>();
  /** How often something has happened to what a name means: an answer from before is old. */
  readonly #changes = new Map<Name, number>();
  /** What unknown links said of themselves before. */
  readonly #titles = new WeakMap<HTMLAnchorElement, string | null>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(
    private readonly pages: Pick<PagesApi, "resolve" | "path">,
    private readonly missing: MissingPages,
    private readonly signal: AbortSignal,
  ) {}

  /** Settles every link in `root` that has not been looked at; each page is asked for once. */
  async mark(root: ParentNode): Promise<void> {
    const links = linksIn(root).filter((link) => !link.hasAttribute("data-looked-up"));
    await Promise.all(
      links.map((link) => {
        link.dataset["lookedUp"] = "";
        const { wikiPath } = link.dataset;
        if (wikiPath !== undefined) link.dataset["tail"] = link.getAttribute("href")?.slice(wikiUrl(wikiPath).length) ?? "";
        return this.#look(link);
      }),
    );
  }

  /** What was found may be old by now (a page was written, or deleted). */
  forget(): void {
    this.#findings.clear();
  }

  /**
   * From now on the links in `root` go along with what the server tells. `bound` are those of a saved text: each is
   * one page's, and nobody else's who comes to its path after that page was deleted.
   */
  follow(events: Pick<ApiEvents, "on">, root: () => ParentNode | null, { bound }: { bound: boolean }): void {
    const looked = () => linksIn(root() ?? document.createDocumentFragment()).filter((link) => link.hasAttribute("data-looked-up"));
    const stops = [
      events.on("page.changed", (change) => {
        const names = new Set([...this.#findings.keys(), ...looked().map(nameIn)].filter((name) => this.#concerns(name, change)));
        const concerned = looked().filter((link) => names.has(nameIn(link)));
        for (const link of concerned) if (bound && change.kind === "deleted") this.#bind(link, change.page_id);
        for (const name of names) this.#change(name, change);
        for (const link of concerned) void this.#look(link);
      }),
      events.on("resync", () => {
        const names = new Set(looked().map(nameIn));
        this.forget();
        for (const name of names) this.#outdate(name);
        for (const link of looked()) void this.#look(link);
      }),
    ];
    this.signal.addEventListener("abort", () => {
      for (const stop of stops) stop();
    });
  }

  #concerns(name: Name, { page_id, path, kind }: PageChange): boolean {
    const target = this.#targets.get(name);
    // A page that has another text stands where it stood.
    if (kind === "saved" || kind === "compacted") return name === `path ${path}` && target === undefined;
    return name === `path ${path}` || name === `id ${page_id}` || target === page_id;
  }

  /** A link by its path to a page that has gone into the bin: should that page come back, it may be elsewhere. */
  #bind(link: HTMLAnchorElement, id: string): void {
    if (this.#targets.get(nameIn(link)) !== id) return;
    delete link.dataset["wikiPath"];
    link.dataset["pageId"] = id;
  }

  /** A link follows its page; whatever else has happened, the server knows what the name means now. */
  #change(name: Name, { page_id: id, path, kind }: PageChange): void {
    this.#outdate(name);
    const moved = kind === "renamed" && this.#targets.get(name) === id;
    if (moved) this.#findings.set(name, Promise.resolve({ kind: "page", id, path }));
    else this.#findings.delete(name);
  }

  #outdate(name: Name): void {
    this.#changes.set(name, (this.#changes.get(name) ?? 0) + 1);
  }

  async #look(link: HTMLAnchorElement): Promise<void> {
    const name = nameIn(link);
    const changes = this.#changes.get(name);
    const finding = await this.#find(name);
    if (this.signal.aborted || this.#changes.get(name) !== changes) return;
    if (finding.kind === "page") this.#targets.set(name, finding.id);
    else if (finding.kind !== "unsure") this.#targets.delete(name);
    this.#settle(link, finding);
  }

  #find(name: Name): Promise<Finding> {
    const known = this.#findings.get(name);
    if (known !== undefined) return known;
    const asked = this.#whenFree(() => this.#ask(name)).catch((error: unknown): Finding => {
      const deleted = deletedIn(name, error);
      if (deleted !== null) return deleted;
      if (hasCode(error, "page_not_found", "not_found", "draft", "gone")) return { kind: "none" };
      // A link that could not be looked up stays as it is; whoever follows it is told what is wrong.
      if (this.#findings.get(name) === asked) this.#findings.delete(name);
      return { kind: "unsure" };
    });
    this.#findings.set(name, asked);
    return asked;
  }

  async #ask(name: Name): Promise<Finding> {
    const named = name.slice(name.indexOf(" ") + 1);
    if (name.startsWith("id ")) return { kind: "page", id: named, path: await this.pages.path(named, this.signal) };
    const { id, title } = await this.pages.resolve(named, this.signal);
    return { kind: "page", id, path: named, title };
  }

  async #whenFree<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((free) => this.#waiting.push(free));
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
      link.setAttribute("href", wikiUrl(finding.path) + tail);
      if (wikiPath !== undefined && wikiPath !== finding.path) this.#rename(link, finding);
      nameAfter(link, finding);
      // The path of the top page has no name to show.
      if (finding.path === TOP && link.textContent.trim() === TOP) link.textContent = finding.title || this.missing.topName();
    } else if (finding.kind === "deleted") {
      // The address of a path offers to restore the page or to write a new one; where another page has the path, the
      // trash shows the deleted one.
      link.setAttribute("href", wikiPath !== undefined ? editUrl(wikiPath) : this.missing.deletedUrl(finding.id));
      nameAfter(link, finding);
      this.#mark(link, this.missing.deletedTitle(), "link-deleted");
    } else if (finding.kind === "none") {
      if (wikiPath !== undefined) link.setAttribute("href", editUrl(wikiPath));
      else link.removeAttribute("href");
      this.#mark(link, this.missing.unknownTitle(), "link-unknown");
    }
  }

  #mark(link: HTMLAnchorElement, title: string, testId: string): void {
    if (!this.#titles.has(link)) this.#titles.set(link, link.getAttribute("title"));
    link.classList.add("none");
    link.dataset["testid"] = testId;
    link.title = title;
  }

  /** The page is known by its new path from now on. */
  #rename(link: HTMLAnchorElement, { id, path }: { id: string; path: string }): void {
    link.dataset["wikiPath"] = path;
    this.#targets.set(`path ${path}`, id);
  }

  #unmark(link: HTMLAnchorElement): void {
    const title = this.#titles.get(link);
    if (title === undefined) return;
    this.#titles.delete(link);
    link.classList.remove("none");
    link.removeAttribute("data-testid");
    if (title === null) link.removeAttribute("title");
    else link.title = title;
  }
}

/** The page in the trash that an error names, if that is why there is none. */
function deletedIn(name: Name, error: unknown): Finding | null {
  const named = name.slice(name.indexOf(" ") + 1);
  if (hasCode(error, "deleted") && error.details.path !== undefined) {
    return { kind: "deleted", id: named, path: error.details.path };
  }
  if (hasCode(error, "page_not_found") && error.details.pageId !== undefined) {
    return { kind: "deleted", id: error.details.pageId, path: named };
  }
  return null;
}

/** A link that shows the id of its page shows what the page is called. */
function nameAfter(link: HTMLAnchorElement, { id, path }: { id: string; path: string }): void {
  if (link.textContent.trim().toLowerCase() === `page:${id}`.toLowerCase()) link.textContent = nameOfPage(path) || path;
}

function linksIn(root: ParentNode): HTMLAnchorElement[] {
  return [...root.querySelectorAll<HTMLAnchorElement>("a[data-wiki-path], a[data-page-id]")];
}

function nameIn({ dataset: { wikiPath, pageId = "" } }: HTMLAnchorElement): Name {
  return wikiPath === undefined ? `id ${pageId}` : `path ${wikiPath}`;
}
