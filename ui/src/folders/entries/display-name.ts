// Makes a file name safe to display: characters that would break or reverse the line are shown as escapes.

// Control characters, line separators, and characters that change the direction of the text.
// eslint-disable-next-line no-control-regex -- these characters must be visible
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function displayName(name: string): string {
  return name.replace(UNSEEN, (char) => ESCAPES[char] ?? `\\u{${char.charCodeAt(0).toString(16)}}`);
}
