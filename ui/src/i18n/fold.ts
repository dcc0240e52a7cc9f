// What counts as the same in names that are looked for: width, case and kind of kana don't matter.

/** NFKC, lower case, and katakana as hiragana: what a person types without care finds what was written with it. */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u30a1-\u30f6\u30fd\u30fe]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}
