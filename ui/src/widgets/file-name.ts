// The ending of a file name: the part that tells the files of a series apart, with the extension.

/** The room of an ending, in half-width characters. */
const ENDING = 9;
/** Names up to this length are rarely cut. */
const SHORT = 14;

/** Splits a name into the part that may be shortened and the ending; the ending of a short name is empty. */
export function splitName(name: string): [start: string, ending: string] {
  if (name.length <= SHORT && widthOf(name) <= SHORT) return [name, ""];
  let [at, width] = [name.length, 0];
  for (const { segment, index } of [...segmenter.segment(name)].reverse()) {
    width += widthOf(segment);
    if (width > ENDING) break;
    at = index;
  }
  return [name.slice(0, at), name.slice(at)];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Full-width characters take the room of two others, marks none. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u;

function widthOf(text: string): number {
  return [...text.replaceAll(/\p{M}/gu, "")].reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}
