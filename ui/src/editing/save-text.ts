// Saving a text as a file: by the window's dialog, or as the browser's download.
import type { Backend } from "../api/backend";

const TYPES = { md: "text/markdown", html: "text/html" } as const;

export interface FileName {
  /** Without its extension. */
  name: string;
  format: keyof typeof TYPES;
}

/** The name of the saved file; null if the user cancelled, or if the browser does not report it. */
export async function saveText({ desktop }: Pick<Backend, "desktop">, { name, format }: FileName, text: string): Promise<string | null> {
  const file = `${name}.${format}`;
  if (desktop !== null) return (await desktop.saveFile({ text: { name: file, text } }))?.name ?? null;
  const url = URL.createObjectURL(new Blob([text], { type: `${TYPES[format]};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  // The browser has read the address once the click's own handlers are done.
  setTimeout(() => URL.revokeObjectURL(url));
  return null;
}

/** Converts a page's name to that of a file. */
export function fileNameOf(pageName: string, format: FileName["format"]): FileName {
  return { name: fileStemOf(pageName), format };
}

/** Returns the name without an extension. */
export function fileStemOf(pageName: string): string {
  // eslint-disable-next-line no-control-regex -- what no file system of today wants in a name
  const name = pageName.replace(/[\u0000-\u001f\\/:*?"<>|]/g, "_").trim();
  return name.slice(0, 80);
}
