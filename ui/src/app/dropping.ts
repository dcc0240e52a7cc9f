// What is dropped from outside where nobody takes it: in the window folders are opened, and a browser stays where it is.
import type { FilesDropped, Root } from "../api/backend";
import { picturesAddress } from "../folders/address";
import { t } from "../i18n";
import type { App } from "./app.svelte";

/** Opens the folders and goes to the first of them. While a page is written, its editor takes what is dropped. */
export async function openDropped(app: App, { grants }: Pick<FilesDropped, "grants">): Promise<void> {
  if (app.router.route.room === "edit") return;
  const folders = grants.filter(({ folder }) => folder);
  if (folders.length === 0) app.tell(t("drop.files"));
  const opened: Root[] = [];
  // One that can't be opened keeps no other away.
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

/** A browser shows a file that nobody takes in the place of the page. Returns how to stop. */
export function keepPage(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const onDrag = (event: DragEvent) => {
    // Who takes it has said so on the way here.
    if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    // The pointer says that nothing comes of it.
    event.dataTransfer.dropEffect = "none";
  };
  for (const kind of ["dragover", "drop"] as const) window.addEventListener(kind, onDrag, { signal });
  return () => ending.abort();
}
