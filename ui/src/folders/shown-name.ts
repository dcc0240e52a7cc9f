// A file name as a person can read it safely: what would break or turn the line is shown as an escape.

// Control characters, line separators, and what changes the direction of the writing.
// eslint-disable-next-line no-control-regex -- these are what has to be shown
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function shownName(name: string): string {
  return name.replace(UNSEEN, (char) => SHORT[char] ?? `\\u{${char.charCodeAt(0).toString(16)}}`);
}
