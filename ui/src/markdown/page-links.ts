// Looks at the links to pages in rendered text: which of them lead to a page, and where pages named by id are now.
import type { PagesApi } from "../api/backend";
import { hasCode } from "../api/errors";
import { editUrl, wikiUrl } from "./page-path";

/** What is known of a link's target; "unsure" when the server gave no answer, and then nothing is claimed. */
type Finding = { kind: "page"; path: string } | { kind: "none" } | { kind: "unsure" };

/** A browser has six connections to a host, and other things want some: no more questions than this at once. */
const AT_ONCE = 6;

export class PageLinks {
  readonly #findings = new Map<string, Promise<Finding>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(
    private readonly pages: Pick<PagesApi, "resolve" | "path">,
    /** What an unknown link says of itself. */
    private readonly unknownTitle: () => string,
    private readonly signal: AbortSignal,
  ) {}

  /** Settles every link in `root` that has not been looked at; each page is asked for once. */
  async mark(root: ParentNode): Promise<void> {
    const links = [...root.querySelectorAll<HTMLAnchorElement>("a[data-wiki-path], a[data-page-id]")];
    await Promise.all(
      links
        .filter((link) => !link.hasAttribute("data-looked-up"))
        .map(async (link) => {
          link.dataset["lookedUp"] = "";
          const { wikiPath, pageId } = link.dataset;
          const finding = wikiPath !== undefined ? await this.#findPath(wikiPath) : await this.#findId(pageId ?? "");
          if (!this.signal.aborted) this.#settle(link, finding);
        }),
    );
  }

  /** What was found may be old by now (a page was written, or deleted). */
  forget(): void {
    this.#findings.clear();
  }

  #findPath(path: string): Promise<Finding> {
    return this.#once(`path ${path}`, async () => {
      await this.pages.resolve(path, this.signal);
      return { kind: "page", path };
    });
  }

  #findId(id: string): Promise<Finding> {
    return this.#once(`id ${id}`, async () => ({ kind: "page", path: await this.pages.path(id, this.signal) }));
  }

  #once(key: string, ask: () => Promise<Finding>): Promise<Finding> {
    const known = this.#findings.get(key);
    if (known !== undefined) return known;
    const asked = this.#whenFree(ask).catch((error: unknown): Finding => {
      if (hasCode(error, "page_not_found", "not_found", "draft", "deleted", "gone")) return { kind: "none" };
      // A link that could not be looked up stays a plain link; whoever follows it is told what is wrong.
      this.#findings.delete(key);
      return { kind: "unsure" };
    });
    this.#findings.set(key, asked);
    return asked;
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
      if (wikiPath === undefined) link.setAttribute("href", wikiUrl(finding.path) + tail);
    } else if (finding.kind === "none") {
      // A deleted page that is named by its id can't be written anew under that id: such a link leads nowhere.
      if (wikiPath !== undefined) link.setAttribute("href", editUrl(wikiPath));
      link.classList.add("none");
      link.dataset["testid"] = "link-unknown";
      link.title = this.unknownTitle();
    }
  }
}
