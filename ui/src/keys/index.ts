// Keys: combinations, and the guard against an input method's own.
export { ariaKeys, type Chord, isMac, keyCaps, matchesChord, parseChord } from "./chord";
export { isComposing } from "./ime";
