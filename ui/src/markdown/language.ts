// The language of a page's text, for its typography and for whoever reads it aloud.

/** "ja", "en", or "" where the text does not tell; null when there is no text to judge by. */
export type PageLanguage = "ja" | "en" | "" | null;

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}々〆ー]/gu;
const LETTERS = /\p{L}/gu;
const ENGLISH_WORDS = /\b(?:the|and|of|to|in|is|it|for|with|on|this|that|was|are|you|from|a|an|be|at)\b/gi;
const WORDS = /\p{L}+/gu;

/** A fifth of kana and kanji makes a text Japanese: notes in Japanese are full of names and terms in Latin letters. */
const JAPANESE_SHARE = 0.2;
/** English has these small words in nearly every line. */
const ENGLISH_SHARE = 0.08;

/** So much of a page tells its language; it is judged at every key press while one writes. */
const ENOUGH = 8_192;

/** Judges prose only: code, addresses and markup say nothing of the language. */
export function detectLanguage(source: string): PageLanguage {
  const beginning = proseOf(source.slice(0, ENOUGH));
  return languageOf(beginning) ?? (source.length > ENOUGH ? languageOf(proseOf(source)) : null);
}

function proseOf(source: string): string {
  return source
    .replace(/^(```|~~~)[\s\S]*?(?:^\1|(?![\s\S]))/gm, " ")
    .replace(/`[^`\n]*`/g, " ")
    .replace(/<[^<>\n]*>/g, " ")
    .replace(/\]\([^)\]\n]*\)/g, "] ")
    .replace(/\b[a-z]+:\/\/\S+/gi, " ");
}

function languageOf(prose: string): PageLanguage {
  const letters = count(prose, LETTERS);
  if (letters === 0) return null;
  if (count(prose, JAPANESE) / letters >= JAPANESE_SHARE) return "ja";
  return count(prose, ENGLISH_WORDS) / count(prose, WORDS) >= ENGLISH_SHARE ? "en" : "";
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
