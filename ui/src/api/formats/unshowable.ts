// Characters that can't be seen, and that could hide the ending of a name (crates/base/src/characters.rs has the rule).

const INVISIBLE = String.raw`\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb`;
/** Variation selectors. */
const SELECTOR = String.raw`\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;
const TAG = String.raw`\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}\u{e007f}`;
/** A visible character that is not ASCII. */
const LETTER = String.raw`[^\u0000-\u007f${INVISIBLE}]`;
/** Characters that change the look of those beside them. */
const IN_PLACE = [
  String.raw`(?<=${LETTER})[${SELECTOR}]`,
  String.raw`(?<=[0-9#*])[${SELECTOR}](?=\u20e3)`,
  String.raw`(?<=${LETTER}|[${SELECTOR}])[\u180e\u200c\u200d](?=${LETTER})`,
  String.raw`(?<=[\u{1f3f4}${TAG}])[${TAG}]`,
];
const UNSHOWABLE = new RegExp(`(?!${IN_PLACE.join("|")})[${INVISIBLE}]`, "gu");

export function hasUnshowable(text: string): boolean {
  return text.search(UNSHOWABLE) >= 0;
}

export function replaceUnshowable(text: string, replacement: (character: string) => string): string {
  return text.replace(UNSHOWABLE, replacement);
}
