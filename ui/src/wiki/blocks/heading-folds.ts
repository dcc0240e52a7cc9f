// Sections that fold: a button at each heading hides what follows it, up to the next heading of its level. The state
// lasts as long as the page is open.
import type { Translate } from "../../i18n";

const HEADING = /^H([1-6])$/;

export class HeadingFolds {
  /** The ids of the headings whose sections are folded. */
  readonly #folded = new Set<string>();
  #body: HTMLElement | null = null;

  constructor(
    private readonly t: Translate,
    /** Called after the layout has changed. */
    private readonly onchange: () => void = () => {},
  ) {}

  /** Adds the missing buttons to a drawn page, and folds its sections as before. */
  drawn(body: HTMLElement): void {
    if (this.#body !== body) body.addEventListener("reveal", ({ target }) => this.#reveal(target as Element));
    this.#body = body;
    for (const heading of this.#headings()) {
      if (heading.querySelector(":scope > .fold") === null) heading.prepend(this.#button(heading));
    }
    this.#apply();
  }

  toggle(id: string): void {
    if (!this.#folded.delete(id)) this.#folded.add(id);
    this.#apply();
    this.onchange();
  }

  /** Folds all sections, or unfolds them if any is folded. */
  toggleAll(): void {
    const ids = this.#headings().map(({ id }) => id);
    const isAny = ids.some((id) => this.#folded.has(id));
    this.#folded.clear();
    if (!isAny) for (const id of ids) this.#folded.add(id);
    this.#apply();
    this.onchange();
  }

  /** Unfolds the sections around an element. */
  #reveal(target: Element): void {
    const block = [...(this.#body?.children ?? [])].find((each) => each.contains(target));
    if (block === undefined || !block.hasAttribute("data-folded-away")) return;
    for (const heading of this.#headings()) {
      if (heading !== block && sectionOf(heading).includes(block)) this.#folded.delete(heading.id);
    }
    this.#apply();
    this.onchange();
  }

  #headings(): HTMLElement[] {
    return [...(this.#body?.children ?? [])].filter((each): each is HTMLElement => levelOf(each) > 0 && each.id !== "");
  }

  #apply(): void {
    for (const block of this.#body?.children ?? []) block.removeAttribute("data-folded-away");
    for (const heading of this.#headings()) {
      const isFolded = this.#folded.has(heading.id);
      heading.querySelector(":scope > .fold")?.setAttribute("aria-expanded", String(!isFolded));
      if (isFolded) for (const block of sectionOf(heading)) block.setAttribute("data-folded-away", "");
    }
  }

  #button({ id }: HTMLElement): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "fold";
    button.title = this.t("reading.fold");
    button.setAttribute("aria-label", this.t("reading.fold"));
    button.addEventListener("click", () => this.toggle(id));
    return button;
  }
}

function levelOf({ tagName }: Element): number {
  return Number(HEADING.exec(tagName)?.[1] ?? 0);
}

/** Returns the blocks between a heading and the next one of its level. */
function sectionOf(heading: Element): Element[] {
  const section: Element[] = [];
  for (let next = heading.nextElementSibling; next !== null; next = next.nextElementSibling) {
    const level = levelOf(next);
    if (level > 0 && level <= levelOf(heading)) break;
    section.push(next);
  }
  return section;
}
