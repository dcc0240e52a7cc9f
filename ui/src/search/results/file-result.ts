// A file of a page as a search result.
import type { HighlightedText } from "../../api/search";
import { partsOfName } from "../../api/formats/file-extension";
import { PICTURE_FORMATS } from "virtual:picture-formats";

/** Drawings and raw files of pages have no thumbnails. */
const WITH_THUMBNAILS = PICTURE_FORMATS.filter(({ filter }) => filter !== "svg" && filter !== "raw" && filter !== "video");
const PICTURES = WITH_THUMBNAILS.flatMap((format) => format.extensions).join(" ");

const TYPES = Object.entries({
  image: PICTURES,
  video: "mp4 m4v mov avi mkv webm mts mpg mpeg",
  audio: "mp3 wav flac m4a ogg opus",
  text: "txt md html htm css csv tsv json xml yaml yml pdf rtf odt doc docx",
  "application/zip": "zip 7z rar tar gz bz2 xz zst",
});

/** The type of a file according to its name; without a subtype, as no more is shown of it. */
export function mimeOfName(name: string): string {
  const extension = partsOfName(name).extension.slice(1).toLowerCase();
  return TYPES.find(([, extensions]) => extensions.split(" ").includes(extension))?.[0] ?? "";
}

/** The first code units of a text, with their highlights. */
export function beginningOf({ text, highlights }: HighlightedText, end: number): HighlightedText {
  const cut = highlights.map((span) => span.map((at) => Math.min(at, end))).filter(([from = 0, to = 0]) => from < to);
  return { text: text.slice(0, end), highlights: cut };
}
