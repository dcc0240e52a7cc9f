// In how many places a page shows or links to each of its files, counted where the page is rendered.
import { type Destination, readAddress } from "../markdown/destination";
import { PageRenderer } from "../markdown/page-renderer";
import { trustedHtml } from "../markdown/trusted-html";
import { NO_WORDS } from "../markdown/words";

const WITH_ADDRESS = "[href], [src], [poster]";

/** In how many places a text shows or links to each file of the page at `path`. */
export function usesIn(text: string, path: string): Map<string, number> {
  return new UsesCounter(path).count(text);
}

/** Counts again and again while a text changes. */
export class UsesCounter {
  readonly #renderer: PageRenderer;
  /** The files of each block of the last text. */
  #blocks = new Map<string, readonly string[]>();

  constructor(private readonly path: string) {
    this.#renderer = new PageRenderer(path, NO_WORDS);
  }

  /** How many places each file has; files that have none are not in it. */
  count(text: string): Map<string, number> {
    const uses = new Map<string, number>();
    const blocks = new Map<string, readonly string[]>();
    for (const { html } of this.#renderer.render(text).blocks) {
      const files = blocks.get(html) ?? this.#blocks.get(html) ?? this.#filesIn(html);
      blocks.set(html, files);
      for (const file of files) uses.set(file, (uses.get(file) ?? 0) + 1);
    }
    this.#blocks = blocks;
    return uses;
  }

  #filesIn(html: string): string[] {
    const template = document.createElement("template");
    template.innerHTML = trustedHtml(html);
    return [...template.content.querySelectorAll(WITH_ADDRESS)].flatMap((element) => {
      const file = this.#fileOf(element);
      const link = element.parentElement?.closest("a");
      // A picture that leads to itself is one place.
      return file === null || (link && this.#fileOf(link) === file) ? [] : [file];
    });
  }

  #fileOf(element: Element): string | null {
    const targets = ["href", "src", "poster"].map((name) => element.getAttribute(name)).flatMap((address): Destination[] => (address === null ? [] : [readAddress(address, this.path)]));
    const target = targets.find((one) => one.kind === "asset" && one.path === this.path);
    return target?.kind === "asset" ? target.file : null;
  }
}
