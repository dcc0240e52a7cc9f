// Anchors of headings: readable in every script, one for each heading.

/** Lower case, letters and digits of any script kept, blanks and the rest as single hyphens; "section" if nothing is left. */
export function slugify(text: string): string {
  const slug = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return slug === "" ? "section" : slug;
}

/** Numbers what comes again: `光`, `光-2`, `光-3`; never one that is taken. */
export class SlugBook {
  readonly #used = new Set<string>();

  take(text: string): string {
    const slug = slugify(text);
    let candidate = slug;
    for (let count = 2; this.#used.has(candidate); count++) candidate = `${slug}-${count}`;
    this.#used.add(candidate);
    return candidate;
  }

  /** One that was taken last is free again. */
  giveBack(slug: string): void {
    this.#used.delete(slug);
  }
}
