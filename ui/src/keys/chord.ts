// A key combination: read from "Mod+Shift+b", compared with a key event, shown to a person.

export interface Chord {
  mod: boolean;
  alt: boolean;
  shift: boolean;
  /** As `KeyboardEvent.key`, lower case for letters. */
  key: string;
}

const SHOWN: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: "Del",
  PageUp: "PgUp",
  PageDown: "PgDn",
  " ": "Space",
};

export function isMac(platform: string = navigator.platform): boolean {
  return platform.startsWith("Mac");
}

export function parseChord(text: string): Chord {
  const parts = text === "+" ? ["+"] : text.split("+");
  const key = parts.pop() ?? "";
  return {
    mod: parts.includes("Mod"),
    alt: parts.includes("Alt"),
    shift: parts.includes("Shift"),
    key: key.length === 1 ? key.toLowerCase() : key,
  };
}

/** Whether a key event is this combination. */
export function matchesChord(chord: Chord, event: KeyboardEvent, mac: boolean = isMac()): boolean {
  const mod = mac ? event.metaKey : event.ctrlKey;
  const foreign = mac ? event.ctrlKey : event.metaKey;
  // AltGr writes characters; some systems tell it as Ctrl and Alt, others as nothing that a chord knows. On a Mac there is
  // none, and a browser that tells of one means Option.
  if (!mac && event.getModifierState("AltGraph")) return false;
  if (mod !== chord.mod || event.altKey !== chord.alt || foreign) return false;
  // A character like "?" needs Shift on some layouts and not on others: only letters and named keys care.
  if ((isLetter(chord.key) || chord.key.length > 1) && event.shiftKey !== chord.shift) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // A layout without Latin letters: the place of the key counts.
  const place = isLetter(chord.key) && !/^[\x20-\x7e]$/.test(key) && event.code === `Key${chord.key.toUpperCase()}`;
  return key === chord.key || place;
}

/** "Ctrl K", or "⌘K" on a Mac: one string for each key cap. */
export function keyCaps(text: string, mac: boolean = isMac()): string[] {
  const chord = parseChord(text);
  const caps: string[] = [];
  if (chord.mod) caps.push(mac ? "⌘" : "Ctrl");
  if (chord.alt) caps.push(mac ? "⌥" : "Alt");
  if (chord.shift) caps.push(mac ? "⇧" : "Shift");
  caps.push(SHOWN[chord.key] ?? (chord.key.length === 1 ? chord.key.toUpperCase() : chord.key));
  return caps;
}

/** As `aria-keyshortcuts` wants it. */
export function ariaKeys(text: string, mac: boolean = isMac()): string {
  return text.replace("Mod", mac ? "Meta" : "Control");
}

function isLetter(key: string): boolean {
  return /^[a-z]$/.test(key);
}
