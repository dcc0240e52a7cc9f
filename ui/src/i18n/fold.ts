// Folding of names for searches: ignores width, case and the kind of kana.

/** Applies NFKC, lower case, and hiragana for katakana, so that a loosely typed query matches. */
export function fold(text: string): string {
  return hiragana(text.normalize("NFKC").toLowerCase());
}

/** Like `fold`, but distinguishes upper and lower case. */
export function foldWidth(text: string): string {
  return hiragana(text.normalize("NFKC"));
}

function hiragana(text: string): string {
  return text.replace(/[\u30a1-\u30f6\u30fd\u30fe]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}
