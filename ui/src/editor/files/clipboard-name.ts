// The name of a pasted picture that had none.

/** The name that browsers give it. */
const DEFAULT_NAME = /^image(\.\w+)$/;

/**
 * Returns a file's own name; for a picture without one, a name of the moment (`picture-20261121-215802.png`), without
 * extension if there is no file.
 */
export function clipboardName(file: Pick<File, "name"> | null, word: string, now = new Date()): string {
  const ending = file === null ? "" : DEFAULT_NAME.exec(file.name)?.[1];
  return ending === undefined ? (file?.name ?? "") : `${word}-${stamp(now)}${ending}`;
}

function stamp(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}
