// Draws diagrams (Mermaid). A drawing is shown as a separate picture, in which nothing can run, be followed or be
// fetched, and whose styles affect nothing else. Nothing can be fetched during drawing either (`diagram-stage.ts`).
import { openStage } from "./diagram-stage";
import { DrawingTooLong } from "./drawing-budget";
import { Lazy } from "../lazy";
import { type DiagramTheme, themeOf } from "./diagram-theme";

export interface Drawing {
  url: string;
  width: number;
  height: number;
}

/** The drawings by theme and source: every key press in the editor renders the same diagram again. */
const drawn = new Map<string, Drawing>();
const MAX_CACHED = 200;
const stage = new Lazy(openStage);
let count = 0;
let currentTheme = "";

/** Returns the cached drawing, if there is one. */
export function cachedDrawing(source: string, theme: DiagramTheme): Drawing | null {
  return drawn.get(keyOf(source, theme)) ?? null;
}

/** Draws a diagram. Throws the error in the source. */
export async function draw(source: string, theme: DiagramTheme): Promise<Drawing> {
  const painter = stage.now ?? (await stage.load());
  if (currentTheme !== JSON.stringify(theme)) {
    currentTheme = JSON.stringify(theme);
    painter.initialize(themeOf(theme));
  }
  const painted = await painter.render(`diagram-${++count}`, source);
  if ("isTooLong" in painted) throw new DrawingTooLong();
  if ("failure" in painted) throw new Error(painted.failure);
  const drawing = toPicture(painter.parse(painted.svg));
  const key = keyOf(source, theme);
  const before = drawn.get(key);
  if (before !== undefined) URL.revokeObjectURL(before.url);
  drawn.set(key, drawing);
  const [oldest] = drawn;
  if (drawn.size > MAX_CACHED && oldest !== undefined) {
    drawn.delete(oldest[0]);
    URL.revokeObjectURL(oldest[1].url);
  }
  return drawing;
}

function toPicture(root: SVGSVGElement | null): Drawing {
  if (root === null) throw new Error("no drawing");
  const [, , viewWidth = 0, viewHeight = 0] = (root.getAttribute("viewBox") ?? "").split(/[ ,]+/).map(Number);
  if (!(viewWidth > 0 && viewHeight > 0)) throw new Error("an empty drawing");
  // The placeholder has whole pixels, and must be filled exactly.
  const [width, height] = [Math.ceil(viewWidth), Math.ceil(viewHeight)];
  root.setAttribute("width", String(width));
  root.setAttribute("height", String(height));
  root.style.removeProperty("max-width");
  const xml = new XMLSerializer().serializeToString(root);
  return { url: URL.createObjectURL(new Blob([xml], { type: "image/svg+xml" })), width, height };
}

function keyOf(source: string, theme: DiagramTheme): string {
  return `${JSON.stringify(theme)}\n${source}`;
}
