// A file of the browser's comes to a page, under its own name or one like it that is free.
import type { AssetsApi } from "../api/backend";
import { hasCode } from "../api/errors";

type Assets = Pick<AssetsApi, "upload" | "list">;

/** How often somebody else may be quicker with the name that was free a moment ago. */
const TRIES = 5;
const LONGEST = 255;

/** Resolves to the name that the file has now. */
export async function uploadFree(assets: Assets, pageId: string, wanted: string, contents: Blob): Promise<string> {
  let name = fileName(wanted);
  for (let left = TRIES; ; left--) {
    try {
      await assets.upload(pageId, name, contents);
      return name;
    } catch (error) {
      if (!hasCode(error, "file_name_taken") || left <= 1) throw error;
      name = freeName(fileName(wanted), new Set((await assets.list(pageId)).map(({ file_name }) => file_name)));
    }
  }
}

/** `a.png`, or the first of `a-2.png`, `a-3.png`, … that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 && name.length - dot <= 32 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  let free = name;
  for (let number = 2; taken.has(free); number++) {
    const tail = `-${number}${ending}`;
    free = cut(stem, LONGEST - bytes(tail)) + tail;
  }
  return free;
}

/** What the server takes for a name: characters that it would refuse become `_`. */
function fileName(name: string): string {
  return name.normalize("NFC").replace(/[\p{Cc}/\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, "_");
}

function cut(text: string, room: number): string {
  let short = text;
  while (bytes(short) > room) short = [...short].slice(0, -1).join("");
  return short;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
