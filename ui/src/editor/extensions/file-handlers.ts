// Handlers of pictures and files that are pasted or dropped on the text; each gets the position for the links.
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type TransferredPicture, readPictures } from "../../editing/files/picture-transfer";

export interface Carrier {
  /** Handles files from a browser. */
  files: (files: readonly File[], at: number) => void;
  /** Handles pictures that are dragged from a folder, perhaps of another window. */
  pictures: (pictures: readonly TransferredPicture[], at: number) => void;
  /** In the window: handles a paste whose contents the web view hides from the page. Null in a browser. */
  clipboard: ((at: number) => void) | null;
}

/** The name that browsers give to a picture that was never a file. */
const DEFAULT_NAME = /^image\.\w+$/;

export function fileHandlers({ files, pictures, clipboard }: Carrier): Extension {
  return EditorView.domEventHandlers({
    paste({ clipboardData }, view) {
      if (clipboardData === null) return false;
      const at = view.state.selection.main.to;
      const pastedFiles = [...clipboardData.files];
      const text = clipboardData.getData("text/plain");
      // Another program's table comes as text and as a picture of it; files copied in a file manager come as files, and
      // as text with their paths.
      if (pastedFiles.length > 0 && (text === "" || !pastedFiles.every(({ name }) => DEFAULT_NAME.test(name)))) {
        files(pastedFiles, at);
        return true;
      }
      if (clipboard === null || (text !== "" && !holdsFiles(clipboardData))) return false;
      clipboard(at);
      return true;
    },
    drop({ dataTransfer, clientX, clientY }, view) {
      const droppedPictures = readPictures(dataTransfer);
      if (droppedPictures.length > 0) {
        pictures(droppedPictures, placeAt(view, clientX, clientY));
        view.focus();
        return true;
      }
      const droppedFiles = [...(dataTransfer?.files ?? [])];
      if (droppedFiles.length === 0) return false;
      files(droppedFiles, placeAt(view, clientX, clientY));
      return true;
    },
  });
}

/** The position in the text at a point of the window; the cursor's if the point is not in the text. */
export function placeAt(view: EditorView, x: number, y: number): number {
  return view.posAtCoords({ x, y }) ?? view.state.selection.main.to;
}

function holdsFiles(data: DataTransfer): boolean {
  return data.types.includes("Files") || /^file:/m.test(data.getData("text/uri-list"));
}
