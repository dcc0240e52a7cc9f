// The zooms and positions of compared pictures. While they are linked, a change of one applies to all.
import type { EncodedPath } from "../../api/names";
import { FITTED, turned, type Viewport } from "../../zoom/zoom";

export class ComparedViews {
  #isLinked = $state(true);
  #views = $state.raw<ReadonlyMap<EncodedPath, Viewport>>(new Map());

  /** Creates the views of pictures, all fitted. `names` returns the compared pictures. */
  constructor(private readonly names: () => readonly EncodedPath[]) {}

  get isLinked(): boolean {
    return this.#isLinked;
  }

  /** Links the views, or lets each picture have its own. */
  readonly toggleLink = (): void => void (this.#isLinked = !this.#isLinked);

  of(name: EncodedPath): Viewport {
    return this.#views.get(name) ?? FITTED;
  }

  /**
   * Changes the view of a picture. Linked pictures get the same zoom, and move by the same distance: pictures that
   * were aligned by hand stay aligned.
   */
  change(name: EncodedPath, to: Viewport): void {
    const from = this.of(name);
    const follow = (view: Viewport) => (this.#isLinked ? followed(view, from, to) : view);
    this.#views = new Map(this.names().map((other) => [other, other === name ? to : follow(this.of(other))]));
  }
}

/** Returns a view after the change of another one. */
function followed(view: Viewport, from: Viewport, to: Viewport): Viewport {
  if (to.turns !== from.turns) return turned(view, (from.turns + 1) % 4 === to.turns ? 1 : -1);
  // A fitted picture has no position.
  if (to.zoom === "fit") return { ...view, zoom: to.zoom, center: to.center };
  const center = { x: view.center.x + to.center.x - from.center.x, y: view.center.y + to.center.y - from.center.y };
  return { ...view, zoom: to.zoom, center };
}
