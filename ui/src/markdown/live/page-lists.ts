// The pages that fit the query of a `pages` fence, as a table that follows every change of a page.
import type { Backend, QueriedPage } from "../../api/backend";
import { errorMessage, formatDateTime, formatDay, t } from "../../i18n";
import { nameOfPage, wikiUrl } from "../links/page-path";
import { pageLinkOf } from "../links/page-value";
import { isPageListFault, PAGE_LIST_OPTIONS, type PageListFault, type PageListOptions, type PageListPlace, readPageList } from "../fences/page-list-options";
import { tagAddress } from "../rules/tags";
import type { SizeMemory } from "./size-memory";

export type PageListBackend = Pick<Backend, "pages" | "events">;

/** The interval within which changes of pages are treated as one, in milliseconds. */
const PAUSE = 300;
const BOX = ".page-list:not([data-live])";
/** The columns that every page has. */
const OWN = ["title", "path", "updated", "author", "tags"];

export class PageLists {
  readonly #shown = new Map<HTMLElement, PageListOptions>();
  readonly #asking = new Map<HTMLElement, AbortController>();
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly backend: PageListBackend,
    private readonly signal: AbortSignal,
    private readonly place: () => PageListPlace,
    private readonly sizes: SizeMemory | null,
  ) {
    const removers = [backend.events.on("page.changed", () => this.#soon()), backend.events.on("resync", () => this.#soon())];
    signal.addEventListener("abort", () => {
      clearTimeout(this.#pause);
      for (const asking of this.#asking.values()) asking.abort();
      for (const remove of removers) remove();
    });
  }

  /** Shows new boxes. Resolves once each has its pages, or its error. */
  async show(root: ParentNode): Promise<void> {
    const boxes = [...root.querySelectorAll<HTMLElement>(BOX)];
    for (const box of boxes) {
      box.dataset["live"] = "";
      const read = readPageList(sourceOf(box), this.place());
      if (isPageListFault(read)) box.prepend(note(faultWords(read)));
      else this.#shown.set(box, read);
    }
    await Promise.all(boxes.map((box) => this.#read(box)));
  }

  #soon(): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      for (const box of this.#shown.keys()) void this.#read(box);
    }, PAUSE);
  }

  async #read(box: HTMLElement): Promise<void> {
    this.#asking.get(box)?.abort();
    const options = this.#shown.get(box);
    if (options === undefined) return;
    if (!box.isConnected) {
      this.#shown.delete(box);
      this.#asking.delete(box);
      return;
    }
    const asking = new AbortController();
    this.#asking.set(box, asking);
    try {
      const { items, total } = await this.backend.pages.query(options.query, asking.signal);
      if (asking.signal.aborted || this.signal.aborted) return;
      const parts = items.length === 0 ? [note(t("pages.none"))] : [tableOf(items, options.columns)];
      if (total > items.length) parts.push(note(t("pages.part", { shown: items.length, total })));
      replace(box, parts);
      this.sizes?.note(`pages ${sourceOf(box)}`, { width: box.clientWidth, height: box.offsetHeight });
    } catch (error) {
      if (!asking.signal.aborted && !this.signal.aborted) replace(box, [note(t("pages.failed", { reason: errorMessage(error) }))]);
    }
  }
}

/** The source stays in the box, hidden, below what is shown. */
function replace(box: HTMLElement, parts: HTMLElement[]): void {
  const source = box.querySelector(":scope > pre");
  source?.setAttribute("hidden", "");
  box.replaceChildren(...parts, ...(source === null ? [] : [source]));
  // The space reserved for them may be more than they need.
  box.style.minHeight = "";
}

function sourceOf(box: HTMLElement): string {
  return box.querySelector("code")?.textContent ?? "";
}

function tableOf(pages: readonly QueriedPage[], columns: readonly string[]): HTMLElement {
  const box = document.createElement("div");
  box.className = "table-scroll";
  const table = box.appendChild(document.createElement("table"));
  const head = table.createTHead().insertRow();
  for (const column of columns) {
    const cell = head.appendChild(document.createElement("th"));
    cell.scope = "col";
    cell.textContent = nameOfColumn(column);
  }
  const body = table.createTBody();
  for (const page of pages) {
    const row = body.insertRow();
    for (const column of columns) row.insertCell().append(...contentsOf(page, column));
  }
  return box;
}

function nameOfColumn(column: string): string {
  switch (column) {
    case "title":
      return t("pages.title");
    case "path":
      return t("pages.path");
    case "updated":
      return t("pages.updated");
    case "author":
      return t("pages.author");
    case "tags":
      return t("pages.tags");
    default:
      return column;
  }
}

function contentsOf(page: QueriedPage, column: string): (Node | string)[] {
  const property = page.properties.find(({ name }) => name === column);
  if (property === undefined && OWN.includes(column)) return ownContents(page, column);
  const values = property?.values ?? [];
  if (column === "tags" || property?.kind === "tags") return separated(values.map(tagLink));
  if (property?.kind === "check") return [values[0]?.toLowerCase() === "true" ? "☑" : "☐"];
  if (property?.kind === "date") return [formatDay(values[0] ?? "")];
  return separated(values.map(valueNode));
}

function ownContents(page: QueriedPage, column: string): (Node | string)[] {
  switch (column) {
    case "title":
      return [link(wikiUrl(page.path), page.title ?? (nameOfPage(page.path) || t("pages.top")))];
    case "path":
      return [link(wikiUrl(page.path), page.path)];
    case "updated":
      return [formatDateTime(page.updated)];
    case "author":
      return [page.user_name];
    default:
      return separated(page.tags.map(tagLink));
  }
}

function valueNode(value: string): Node {
  const page = pageLinkOf(value);
  return page === null ? document.createTextNode(value) : link(wikiUrl(page.path), page.label);
}

function tagLink(tag: string): HTMLAnchorElement {
  const element = link(tagAddress(tag), `#${tag}`);
  element.className = "tag";
  return element;
}

function link(href: string, text: string): HTMLAnchorElement {
  const element = document.createElement("a");
  element.href = href;
  element.textContent = text;
  return element;
}

function separated(nodes: Node[]): (Node | string)[] {
  return nodes.flatMap((node, index) => (index === 0 ? [node] : [", ", node]));
}

function note(words: string): HTMLElement {
  const paragraph = document.createElement("p");
  paragraph.className = "gallery-note";
  paragraph.textContent = words;
  return paragraph;
}

function faultWords(fault: PageListFault): string {
  const options = PAGE_LIST_OPTIONS.join(", ");
  if (fault.kind === "no option") return t("pages.no_option", { name: fault.name, options });
  return t("pages.bad_value", { name: fault.name, value: fault.value, options });
}
