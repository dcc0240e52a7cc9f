// Keys: combinations, and the guard for those of an input method.
export { presentKey, showChangedKeys } from "./changed-keys";
export { ariaKeys, type Chord, chordOf, isMac, isSameChord, keyCaps, matchesChord, parseChord } from "./chord";
export { isComposing } from "./ime";
