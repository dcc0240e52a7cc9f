// The treatment of a file's extension when the user types another name.
import { PICTURE_FORMATS } from "virtual:picture-formats";

/** Extensions that denote a type of file, so that typing one changes the type on purpose. */
const EXTENSIONS = new Set(
  [
    PICTURE_FORMATS.flatMap((format) => format.extensions).join(" "),
    // Pictures that are not shown.
    "psd nrw crw sr2 srf srw x3f 3fr iiq rwl",
    "mp4 m4v mov avi mkv webm mts mpg mpeg mp3 wav flac m4a ogg opus",
    "txt md html htm css csv tsv json xml xmp yaml yml pdf rtf odt ods odp doc docx xls xlsx ppt pptx epub",
    "zip 7z rar tar gz bz2 xz zst",
  ].flatMap((names) => names.split(" ")),
);

export interface NamePart {
  stem: string;
  /** Includes the dot; "" if there is none. */
  extension: string;
}

/** Splits a name at its last dot; a name that begins with its only dot has no extension. */
export function partsOfName(name: string): NamePart {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? { stem: name, extension: "" } : { stem: name.slice(0, dot), extension: name.slice(dot) };
}

export interface TypedName extends NamePart {
  /** True if the text leaves the extension unchanged and names no type of file. */
  isOpen: boolean;
}

/**
 * Parses a typed name for a file with this extension. The extension changes only if the name ends in that of another
 * type of file. A dot in the name ("v1.2", "Dr. Sato") does not start an extension.
 */
export function typedName(text: string, extension: string): TypedName {
  if (extension === "") return { stem: text, extension: "", isOpen: false };
  const typed = partsOfName(text);
  const isSame = typed.extension.toLowerCase() === extension.toLowerCase();
  if (isSame || EXTENSIONS.has(typed.extension.slice(1).toLowerCase())) return { ...typed, isOpen: false };
  // The dot that remains of a deleted extension is not part of the name.
  return { stem: text.replace(/(?<=.)\.$/, ""), extension, isOpen: true };
}

/** True if two extensions denote different types of files. */
export function isOtherExtension(one: string, other: string): boolean {
  return one.toLowerCase() !== other.toLowerCase();
}
