// Drops from outside: the window opens dropped folders, and a folder takes dropped files. A browser stays on the page.
import type { FilesDropped, Root } from "../../api/backend";
import { receiveFiles } from "../../folders/entries/dropped-files";
import { picturesAddress } from "../../folders/query/address";
import { t } from "../../i18n";
import type { App } from "../app.svelte";

/**
 * Opens the folders and goes to the first of them; files without a folder go into the folder on which they are dropped.
 * While a page is edited, its editor accepts drops.
 */
export async function openDroppedFiles(app: App, dropped: FilesDropped): Promise<void> {
  if (app.router.route.name === "edit") return;
  const folders = dropped.grants.filter(({ folder }) => folder);
  if (folders.length === 0 && !receiveFiles(dropped)) app.toast(t("drop.files"));
  const opened: Root[] = [];
  // A folder that cannot be opened does not affect the others.
  for (const { grant } of folders) {
    try {
      opened.push(await app.roots.add({ grant }));
    } catch (error) {
      app.report(error);
    }
  }
  const [first] = opened;
  if (first !== undefined) await app.router.navigate(picturesAddress(first.id));
}

/**
 * Prevents a browser from replacing the page by a dropped file that no element accepts. Returns a function that stops
 * this.
 */
export function preventFileNavigation(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const onDrag = (event: DragEvent) => {
    // An element that accepts the drop has prevented the default during propagation.
    if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    // The pointer shows that the drop has no effect.
    event.dataTransfer.dropEffect = "none";
  };
  for (const kind of ["dragover", "drop"] as const) window.addEventListener(kind, onDrag, { signal });
  return () => ending.abort();
}
