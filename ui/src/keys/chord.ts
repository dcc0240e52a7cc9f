// A key combination: parsed from "Mod+Shift+b", compared with a key event, shown to the user.
import { presentKey } from "./changed-keys";

export interface Chord {
  mod: boolean;
  alt: boolean;
  shift: boolean;
  /** In the form of `KeyboardEvent.key`, lower case for letters. */
  key: string;
}

const KEY_CAPS: Readonly<Record<string, string>> = {
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
  const parts = text.split("+");
  // The plus sign separates, unless it is the last: then the split ends in two empty parts.
  const key = text.endsWith("+") ? parts.splice(-2).join("+") : (parts.pop() ?? "");
  return {
    mod: parts.includes("Mod"),
    alt: parts.includes("Alt"),
    shift: parts.includes("Shift"),
    key: key.length === 1 ? key.toLowerCase() : key,
  };
}

/** True if a key event is this combination. */
export function matchesChord(chord: Chord, event: KeyboardEvent, mac: boolean = isMac()): boolean {
  const mod = mac ? event.metaKey : event.ctrlKey;
  const foreign = mac ? event.ctrlKey : event.metaKey;
  // AltGr types characters; some systems report it as Ctrl and Alt, others as a modifier that no chord has. A Mac has
  // none, and a browser that reports one means Option.
  if (!mac && event.getModifierState("AltGraph")) return false;
  if (mod !== chord.mod || event.altKey !== chord.alt || foreign) return false;
  // A character like "?" needs Shift on some layouts and not on others: Shift matters only for letters and named keys.
  if ((isLetter(chord.key) || chord.key.length > 1) && event.shiftKey !== chord.shift) return false;
  // WebKit on Linux does not name Tab with Shift.
  if (event.key === "Unidentified") return chord.key === event.code;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // On a layout without Latin letters, the position of the key counts.
  const place = isLetter(chord.key) && !/^[\x20-\x7e]$/.test(key) && event.code === `Key${chord.key.toUpperCase()}`;
  return key === chord.key || place;
}

/** Keys that are no combination by themselves. */
const MODIFIERS = new Set(["Alt", "AltGraph", "CapsLock", "Control", "Dead", "Fn", "Hyper", "Meta", "NumLock", "OS", "Process", "ScrollLock", "Shift", "Super", "Unidentified"]);

/** The combination of a key event, as `matchesChord` accepts it; null for a modifier alone, or one that no chord has. */
export function chordOf(event: KeyboardEvent, mac: boolean = isMac()): string | null {
  const isForeign = mac ? event.ctrlKey : event.metaKey || event.getModifierState("AltGraph");
  if (isForeign || MODIFIERS.has(event.key)) return null;
  const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // On a layout without Latin letters, the position of the key counts.
  const key = /^Key[A-Z]$/.test(event.code) && !/^[\x20-\x7e]$/.test(typed) ? event.code.slice(-1).toLowerCase() : typed;
  const mod = mac ? event.metaKey : event.ctrlKey;
  const shift = event.shiftKey && (isLetter(key) || key.length > 1);
  return [...(mod ? ["Mod"] : []), ...(event.altKey ? ["Alt"] : []), ...(shift ? ["Shift"] : []), key].join("+");
}

/** True for two texts of the same combination. */
export function isSameChord(one: string, other: string): boolean {
  const [a, b] = [parseChord(one), parseChord(other)];
  const ofShift = isLetter(a.key) || a.key.length > 1;
  return a.key === b.key && a.mod === b.mod && a.alt === b.alt && (!ofShift || a.shift === b.shift);
}

/** The labels of the key caps: "Ctrl K", or "⌘K" on a Mac. */
export function keyCaps(text: string, mac: boolean = isMac()): string[] {
  const chord = parseChord(text);
  const caps: string[] = [];
  if (chord.mod) caps.push(mac ? "⌘" : "Ctrl");
  if (chord.alt) caps.push(mac ? "⌥" : "Alt");
  if (chord.shift) caps.push(mac ? "⇧" : "Shift");
  caps.push(KEY_CAPS[chord.key] ?? (chord.key.length === 1 ? chord.key.toUpperCase() : chord.key));
  return caps;
}

/** The present key of an action with this usual key, in the form that `aria-keyshortcuts` requires. */
export function ariaKeys(usual: string, mac: boolean = isMac()): string {
  return presentKey(usual).replace("Mod", mac ? "Meta" : "Control");
}

function isLetter(key: string): boolean {
  return /^[a-z]$/.test(key);
}
