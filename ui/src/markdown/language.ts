// The language of a page's text, for its typography and for screen readers.

/** "ja", "en", or "" if the text is inconclusive; null if there is no text to judge. */
export type PageLanguage = "ja" | "en" | "" | null;

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}々〆ー]/gu;
const LETTERS = /\p{L}/gu;
const ENGLISH_WORDS = /\b(?:the|and|of|to|in|is|it|for|with|on|this|that|was|are|you|from|a|an|be|at)\b/gi;
const WORDS = /\p{L}+/gu;

/**
 * The share of kana and kanji that makes a text Japanese. Japanese notes contain many names and terms in Latin letters.
 */
const JAPANESE_SHARE = 0.2;
/** The share of small English words that makes a text English. Nearly every English line contains some. */
const ENGLISH_SHARE = 0.08;

/** The number of characters that decide the language, which is detected at every key press in the editor. */
const SAMPLE_LENGTH = 8_192;

/** Detects the language of the prose: code, addresses and markup say nothing about it. */
export function detectLanguage(source: string): PageLanguage {
  const beginning = proseOf(source.slice(0, SAMPLE_LENGTH));
  return languageOf(beginning) ?? (source.length > SAMPLE_LENGTH ? languageOf(proseOf(source)) : null);
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
