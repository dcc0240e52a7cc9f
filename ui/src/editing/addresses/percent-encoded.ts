// Percent-encoding of the characters that a place cannot hold, and of no others, so that the rest stays readable.

export function percentEncoded(text: string, marks: RegExp): string {
  return text.replace(marks, (mark) =>
    [...new TextEncoder().encode(mark)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
