// Keys: combinations, and the guard for those of an input method.
export { ariaKeys, type Chord, isMac, keyCaps, matchesChord, parseChord } from "./chord";
export { isComposing } from "./ime";
