// The number of places in which a page shows or links to each of its files, counted in the rendered page.
import { type Destination, readAddress } from "./destination";
import { PageRenderer } from "../rendering/page-renderer";
import { trustedHtml } from "../sanitizing/trusted-html";
import { NO_WORDS } from "../page-words";

const WITH_ADDRESS = "[href], [src], [poster]";

/** Counts the places in which a text shows or links to each file of the page at `path`. */
export function usesIn(text: string, path: string): Map<string, number> {
  return new UsesCounter(path).count(text);
}

/** Counts repeatedly while a text changes. */
export class UsesCounter {
  readonly #renderer: PageRenderer;
  /** The files of each block of the last text. */
  #blocks = new Map<string, readonly string[]>();

  constructor(private readonly path: string) {
    this.#renderer = new PageRenderer(path, NO_WORDS);
  }

  /** Returns the number of places of each file; unused files are absent. */
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
      // A picture that links to itself is one place.
      return file === null || (link && this.#fileOf(link) === file) ? [] : [file];
    });
  }

  #fileOf(element: Element): string | null {
    const targets = ["href", "src", "poster"].map((name) => element.getAttribute(name)).flatMap((address): Destination[] => (address === null ? [] : [readAddress(address, this.path)]));
    const target = targets.find((one) => one.kind === "asset" && one.path === this.path);
    return target?.kind === "asset" ? target.file : null;
  }
}
