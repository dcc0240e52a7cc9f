// File names are bytes. The page keeps a path as the percent-encoded form that addresses and queries carry,
// so that a name that is not UTF-8 survives, and decodes it only to show it.

declare const encoded: unique symbol;

/** A relative path in percent-encoding, segments joined by `/`; "" is the root folder itself. */
export type EncodedPath = string & { readonly [encoded]: true };

/** A name as listings state it: `name_bytes` (base64) is present if the bytes are not UTF-8. */
export interface NamedBytes {
  name: string;
  name_bytes?: string | null;
  /** For a deeper entry: the path of its folder, and that path's bytes if they are not UTF-8. */
  folder?: string | null;
  folder_bytes?: string | null;
}

const UNRESERVED = /[A-Za-z0-9\-_.~]/;
const ALL_UNRESERVED = /^[A-Za-z0-9\-_.~]*$/;

/** The root folder. */
export const ROOT_PATH = "" as EncodedPath;

/** Encodes a name as a segment of an encoded path; for a deeper entry, its path from there, which is unique there. */
export function encodeName({ folder, folder_bytes, ...named }: NamedBytes): EncodedPath {
  return folder ? joinPath(encodePathFields(folder, folder_bytes), named) : encodeOwnName(named);
}

function encodeOwnName({ name, name_bytes }: Pick<NamedBytes, "name" | "name_bytes">): EncodedPath {
  // Fast path for most names of pictures: a folder may have a hundred thousand of them.
  if (!name_bytes && ALL_UNRESERVED.test(name)) return name as EncodedPath;
  const bytes = name_bytes ? bytesOfBase64(name_bytes) : new TextEncoder().encode(name);
  return Array.from(bytes, encodeByte).join("") as EncodedPath;
}

/** The path of `child` inside `folder`. */
export function joinPath(folder: EncodedPath, child: NamedBytes): EncodedPath {
  return resolvePath(folder, encodeName(child));
}

/** Resolves a path relative to a folder. */
export function resolvePath(folder: EncodedPath, path: EncodedPath): EncodedPath {
  return (folder === "" || path === "" ? folder + path : `${folder}/${path}`) as EncodedPath;
}

/** Converts an encoded or half-encoded path (of an address, for example) to the canonical form. */
export function canonicalPath(path: string): EncodedPath {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => Array.from(percentDecode(segment), encodeByte).join(""))
    .join("/") as EncodedPath;
}

/** Encodes a path given as plain text (by an event, for example). */
export function encodePath(path: string): EncodedPath {
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((name) => encodeName({ name }))
    .join("/") as EncodedPath;
}

/** Encodes a path of an event: `path_bytes` (base64) is present if the bytes are not UTF-8. */
export function encodePathFields(path: string, path_bytes: string | null | undefined): EncodedPath {
  // No name contains a slash.
  return encodeName({ name: path, name_bytes: path_bytes ?? null }).replaceAll("%2F", "/") as EncodedPath;
}

/** A path in the form of request bodies: in base64 if it is not UTF-8. */
export function pathFields(path: EncodedPath): { path: string } | { path_bytes: string } {
  const bytes = percentDecode(path);
  try {
    return { path: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { path_bytes: btoa(String.fromCharCode(...bytes)) };
  }
}

/** The folder that contains this path, or null for the root. */
export function parentPath(path: EncodedPath): EncodedPath | null {
  if (path === "") return null;
  return path.slice(0, Math.max(0, path.lastIndexOf("/"))) as EncodedPath;
}

/** The last segment of a path. */
export function lastSegment(path: EncodedPath): EncodedPath {
  return path.slice(path.lastIndexOf("/") + 1) as EncodedPath;
}

/** The part of a path after a folder that contains it at any depth. */
export function pathFrom(folder: EncodedPath, path: EncodedPath): EncodedPath {
  return (folder === "" ? path : path.slice(folder.length + 1)) as EncodedPath;
}

/** The path's segments, each still encoded. */
export function segmentsOf(path: EncodedPath): EncodedPath[] {
  return path === "" ? [] : (path.split("/") as EncodedPath[]);
}

/** The readable form of one encoded segment; bytes that are not UTF-8 become U+FFFD. */
export function readableSegment(segment: string): string {
  return new TextDecoder().decode(percentDecode(segment));
}

function encodeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return UNRESERVED.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

function percentDecode(segment: string): Uint8Array {
  const plain = new TextEncoder().encode(segment);
  const bytes: number[] = [];
  for (let at = 0; at < plain.length; at++) {
    const hex = plain[at] === 0x25 ? String.fromCharCode(plain[at + 1] ?? 0, plain[at + 2] ?? 0) : "";
    if (/^[0-9A-Fa-f]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else {
      bytes.push(plain[at] ?? 0);
    }
  }
  return Uint8Array.from(bytes);
}

function bytesOfBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
