// Anchors of headings: readable in every script, unique for each heading.

/** The maximum length of a heading that its anchor uses, in characters. */
const MAX_LENGTH = 1_000;

/**
 * Converts a heading to a slug: lower case, letters and digits of any script, single hyphens for the rest; "section" if
 * nothing is left.
 */
export function slugify(text: string): string {
  const slug = text
    .slice(0, MAX_LENGTH)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    // At most one hyphen is left at either end.
    .replace(/^-|-$/g, "");
  return slug === "" ? "section" : slug;
}

/** Numbers repeated slugs: `光`, `光-2`, `光-3`, without collisions. */
export class SlugBook {
  readonly #used = new Set<string>();
  /** The first number that may be free, for each repeated slug. */
  readonly #next = new Map<string, number>();

  take(text: string): string {
    const slug = slugify(text);
    const candidate = this.#free(slug);
    this.#used.add(candidate);
    return candidate;
  }

  /** Takes these anchors if the headings get them again. Otherwise takes none, and returns false. */
  takeAgain(headings: readonly { text: string; slug: string }[]): boolean {
    const slugs: string[] = [];
    const before = new Map<string, number | undefined>();
    for (const { text, slug } of headings) {
      const base = slugify(text);
      if (!before.has(base)) before.set(base, this.#next.get(base));
      const next = this.take(text);
      slugs.push(next);
      if (next === slug) continue;
      for (const each of slugs) this.#used.delete(each);
      for (const [each, number] of before) {
        if (number === undefined) this.#next.delete(each);
        else this.#next.set(each, number);
      }
      return false;
    }
    return true;
  }

  #free(slug: string): string {
    if (!this.#used.has(slug)) return slug;
    let number = this.#next.get(slug) ?? 2;
    while (this.#used.has(`${slug}-${number}`)) number += 1;
    this.#next.set(slug, number + 1);
    return `${slug}-${number}`;
  }
}
