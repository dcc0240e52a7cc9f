// The embedded pages of a page that is read: each is shown in a box, below the link to it.
import type { Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { Host } from "../../api/host";
import { decodePath, type PageWords } from "../../markdown";
import { partOfPage } from "./page-part";

/** The number of levels of pages within pages. */
export const MAX_DEPTH = 4;
/** The maximum number of embeds of a page; further ones stay links. */
const MAX_EMBEDS = 100;
const BOX = ".embed-box";

/** The pages around an embed, from the outermost one on: each its id and, after `#`, its embedded part. */
type Chain = readonly string[];

interface Shown {
  box: HTMLElement;
  chain: Chain;
  path: string | null;
  id: string | null;
}

export interface EmbedsOptions {
  backend: Pick<Backend, "pages" | "events">;
  host: Pick<Host, "t" | "describe">;
  words: () => PageWords;
  /** Changes the content of a box before it is shown. */
  prepare?: ((content: DocumentFragment) => void) | undefined;
  /** Called with the content of a box when it is on the screen. */
  onshown: (content: HTMLElement) => void;
  signal: AbortSignal;
}

export class Embeds {
  #shown: Shown[] = [];

  constructor(private readonly options: EmbedsOptions) {
    const { backend, signal } = options;
    const stops = [
      backend.events.on("page.changed", ({ page_id, path }) => {
        for (const one of this.#shown) if (one.id === page_id || one.path === path) void this.#fill(one);
      }),
      backend.events.on("resync", () => {
        for (const one of this.#shown) void this.#fill(one);
      }),
    ];
    signal.addEventListener("abort", () => {
      for (const stop of stops) stop();
    });
  }

  /** Fills the new boxes in a drawn page. */
  async show(article: HTMLElement, pageId: string): Promise<void> {
    this.#shown = this.#shown.filter(({ box }) => box.isConnected);
    await this.#showIn(article, [keyOf(pageId, "")]);
  }

  async #showIn(root: HTMLElement, chain: Chain): Promise<void> {
    const boxes = [...root.querySelectorAll<HTMLElement>(`${BOX}:not([data-live])`)];
    const added = boxes.slice(0, Math.max(0, MAX_EMBEDS - this.#shown.length)).map((box): Shown => ({ box, chain, path: null, id: null }));
    for (const { box } of added) box.dataset["live"] = "";
    this.#shown.push(...added);
    await Promise.all(added.map((one) => this.#fill(one)));
  }

  async #fill(one: Shown): Promise<void> {
    const { host } = this.options;
    const link = one.box.querySelector<HTMLAnchorElement>("a.embed");
    if (link === null || !one.box.isConnected) return;
    try {
      const content = await this.#contentOf(one, link);
      if (this.options.signal.aborted) return;
      if (typeof content === "string") this.#replace(one.box, noteOf(content));
      else await content();
    } catch (error) {
      if (this.options.signal.aborted) return;
      const isMissing = hasCode(error, "page_not_found", "not_found", "draft", "deleted", "gone");
      this.#replace(one.box, noteOf(isMissing ? host.t("reading.embed_missing") : host.t("reading.embed_failed", { reason: host.describe(error) })));
    }
  }

  /** Returns the work that shows the content, or the reason why there is none. */
  async #contentOf(one: Shown, link: HTMLAnchorElement): Promise<string | (() => Promise<void>)> {
    const { backend, host, words, signal } = this.options;
    const { wikiPath, pageId } = link.dataset;
    const fragment = fragmentOf(link);
    const path = wikiPath ?? (await backend.pages.path(pageId ?? "", signal));
    one.path = path;
    const { id, revision } = await backend.pages.resolve(path, signal);
    one.id = id;
    const key = keyOf(id, fragment);
    if (one.chain.includes(key)) return host.t("reading.embed_cycle");
    if (one.chain.length > MAX_DEPTH) return host.t("reading.embed_depth", { count: MAX_DEPTH });
    const { text } = await backend.pages.source(id, revision, signal);
    const part = partOfPage(text, path, fragment, words());
    if (part === null) return host.t("reading.embed_no_part", { part: decodePath(fragment) });
    return async () => {
      const body = document.createElement("div");
      body.className = "embed-body";
      if (part.language !== "") body.lang = part.language;
      this.options.prepare?.(part.content);
      body.append(part.content);
      this.#replace(one.box, body);
      this.options.onshown(body);
      await this.#showIn(body, [...one.chain, key]);
    };
  }

  #replace(box: HTMLElement, content: HTMLElement): void {
    for (const old of box.querySelectorAll(":scope > :is(.embed-body, .embed-note)")) old.remove();
    box.append(content);
  }
}

function keyOf(pageId: string, fragment: string): string {
  return `${pageId}#${decodePath(fragment)}`;
}

/** Once a link is resolved, its address may be another one. */
function fragmentOf(link: HTMLAnchorElement): string {
  const tail = link.dataset["tail"] ?? link.getAttribute("href") ?? "";
  const at = tail.indexOf("#");
  return at < 0 ? "" : tail.slice(at + 1);
}

function noteOf(text: string): HTMLElement {
  const note = document.createElement("p");
  note.className = "embed-note";
  note.textContent = text;
  return note;
}
