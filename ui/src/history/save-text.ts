// Saving a text as a file: by the window's dialog, or as the browser's download.
import type { Backend } from "../api/backend";

/** The name of the saved file; null if the user cancelled, or if the browser does not report it. */
export async function saveText({ desktop }: Pick<Backend, "desktop">, name: string, text: string): Promise<string | null> {
  if (desktop !== null) return (await desktop.saveFile({ text: { name, text } }))?.name ?? null;
  const url = URL.createObjectURL(new Blob([text], { type: "text/markdown;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the address once the click's own handlers are done.
  setTimeout(() => URL.revokeObjectURL(url));
  return null;
}

/** Converts a page's name to a file name. */
export function fileNameOf(pageName: string, suffix: string): string {
  // eslint-disable-next-line no-control-regex -- what no file system of today wants in a name
  const name = `${pageName} ${suffix}`.replace(/[\u0000-\u001f\\/:*?"<>|]/g, "_").trim();
  return `${name.slice(0, 80)}.md`;
}
