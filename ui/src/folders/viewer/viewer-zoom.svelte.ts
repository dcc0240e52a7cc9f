// The zoom and position of the picture in the viewer, from one picture to the next.
import type { FolderEntry } from "../../api/backend";
import { encodeName, type EncodedPath } from "../../api/names";
import { sessionMemory } from "../session/session-memory";
import type { ZoomContext } from "../stage/zoom-shortcuts";
import { FITTED, type Frame, overflow, type Viewport } from "../../zoom/zoom";

/** The identity and size of a picture. */
interface Picture {
  name: EncodedPath;
  width: FolderEntry["width"];
  height: FolderEntry["height"];
}

export class ViewerZoom {
  viewport = $state.raw<Viewport>(FITTED);
  /** Null until the picture's size is known. */
  frame = $state.raw<Frame | null>(null);
  #isKept = $state(sessionMemory.isViewKept);
  #picture: Picture | null = null;
  /** The directions in which parts of the picture are hidden. */
  readonly overflow = $derived.by(() => (this.frame ? overflow(this.viewport, this.frame) : { x: false, y: false }));

  /** True if the next picture keeps the zoom and position. */
  get isKept(): boolean {
    return this.#isKept;
  }

  readonly change = (viewport: Viewport): void => {
    this.viewport = viewport;
  };

  readonly toggleKeep = (): void => {
    sessionMemory.isViewKept = this.#isKept = !this.#isKept;
  };

  /** The access of shortcuts to the view. */
  readonly context: ZoomContext = {
    viewport: () => this.viewport,
    frame: () => this.frame,
    change: this.change,
    keep: this.toggleKeep,
  };

  /**
   * Handles the picture in the viewer. Each picture starts fitted, unless the view is kept; so does one that was
   * replaced by a picture of another size.
   */
  show(entry: FolderEntry): void {
    const before = this.#picture;
    const now: Picture = { name: encodeName(entry), width: entry.width, height: entry.height };
    const isAnother = before !== null && now.name !== before.name;
    // The size of a replaced picture takes a moment until it is known again.
    if (before && !isAnother && !now.width) [now.width, now.height] = [before.width, before.height];
    const isResized = before !== null && !isAnother && !!before.width && (now.width !== before.width || now.height !== before.height);
    this.#picture = now;
    if (isResized || (isAnother && !this.#isKept)) this.viewport = FITTED;
  }
}
