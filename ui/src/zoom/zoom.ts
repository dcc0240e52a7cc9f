// The view of a picture: its zoom, its visible part, and its rotation. Pure: numbers in, numbers out.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Quarter turns, clockwise. */
export type Turns = 0 | 1 | 2 | 3;

/** The whole picture, but not enlarged; the whole stage filled; or screen pixels for each picture pixel. */
export type Zoom = "fit" | "fill" | number;

/** The persistent part of a view, valid for any picture on any stage. */
export interface Viewport {
  zoom: Zoom;
  /**
   * The point in the middle of the stage, as a fraction of the rotated picture: 0 is its left or upper edge, 1 the
   * opposite one.
   */
  center: Point;
  turns: Turns;
}

/** The geometry that a viewport applies to. */
export interface Frame {
  /** The upright size in the picture's own pixels. */
  picture: Size;
  /** The size in CSS pixels, like all positions on the stage, which count from its middle. */
  stage: Size;
  /** The space that a fitted picture leaves free at each side. */
  margin: Size;
  /** The screen pixels for each CSS pixel. */
  density: number;
}

/** The placement of the picture, for an element of its own size. */
export interface Placement {
  zoom: number;
  /** The size before rotation. */
  width: number;
  height: number;
  transform: string;
}

export const FITTED: Viewport = { zoom: "fit", center: { x: 0.5, y: 0.5 }, turns: 0 };
const MIN_ZOOM = 0.05;
const MAX_ZOOM = 16;
/** The zoom from which the picture's pixels are shown without smoothing. */
const PIXELS_FROM = 4;
const STEPS = [0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 12, 16] as const;
/** The relative difference below which two zooms are equal. */
const SAME = 1e-6;

/** Returns the screen pixels for each picture pixel. */
export function zoomOf({ zoom, turns }: Viewport, frame: Frame): number {
  if (zoom === "fit") return fitZoom(frame, turns);
  if (zoom !== "fill") return zoom;
  const { stage, density } = frame;
  const { width, height } = turnedSize(frame.picture, turns);
  return Math.max(stage.width / width, stage.height / height) * density;
}

export function hasPixelsShown(zoom: number): boolean {
  return zoom >= PIXELS_FROM * (1 - SAME);
}

/** Zooms and keeps the point at `at` in place, as far as the edges allow. */
export function zoomedTo(viewport: Viewport, frame: Frame, zoom: Zoom, at: Point = { x: 0, y: 0 }): Viewport {
  const wanted: Viewport = { ...viewport, zoom: typeof zoom === "number" ? withinLimits(zoom, frame, viewport.turns) : zoom };
  const [before, after] = [drawnSize(viewport, frame), drawnSize(wanted, frame)];
  const center = clampedCenter(viewport, frame);
  return settled(
    {
      ...wanted,
      center: {
        x: center.x + at.x / before.width - at.x / after.width,
        y: center.y + at.y / before.height - at.y / after.height,
      },
    },
    frame,
  );
}

/** Zooms by a factor. A zoom that passes the fitted one stops there. */
export function zoomedBy(viewport: Viewport, frame: Frame, factor: number, at?: Point): Viewport {
  const [from, fit] = [zoomOf(viewport, frame), fitZoom(frame, viewport.turns)];
  const to = withinLimits(from * factor, frame, viewport.turns);
  const isOnTheWay = isSame(to, fit) || (!isSame(from, fit) && from < fit !== to < fit);
  return zoomedTo(viewport, frame, isOnTheWay ? "fit" : to, at);
}

/** Zooms to the next larger (1) or smaller (-1) standard zoom, among which is the fitted one. */
export function stepped(viewport: Viewport, frame: Frame, by: 1 | -1, at?: Point): Viewport {
  const [from, fit] = [zoomOf(viewport, frame), fitZoom(frame, viewport.turns)];
  const steps = [...STEPS, fit].filter((step) => (by === 1 ? step > from * (1 + SAME) : step < from * (1 - SAME)));
  if (steps.length === 0) return viewport;
  const to = by === 1 ? Math.min(...steps) : Math.max(...steps);
  return zoomedTo(viewport, frame, to === fit ? "fit" : to, at);
}

/** Toggles between the fitted picture and its own pixels at a position. */
export function toggled(viewport: Viewport, frame: Frame, at?: Point): Viewport {
  return viewport.zoom === "fit" ? zoomedTo(viewport, frame, 1, at) : zoomedTo(viewport, frame, "fit");
}

/** Moves the picture over the stage. */
export function panned(viewport: Viewport, frame: Frame, by: Point): Viewport {
  const { width, height } = drawnSize(viewport, frame);
  const { x, y } = clampedCenter(viewport, frame);
  return settled({ ...viewport, center: { x: x - by.x / width, y: y - by.y / height } }, frame);
}

/** Keeps the points under two fingers in place. */
export function pinched(viewport: Viewport, frame: Frame, before: readonly [Point, Point], after: readonly [Point, Point]): Viewport {
  const [from, to] = [middle(before), middle(after)];
  const factor = distance(after) / Math.max(1, distance(before));
  return panned(zoomedBy(viewport, frame, factor, from), frame, { x: to.x - from.x, y: to.y - from.y });
}

/** Rotates by a quarter to the right (1) or to the left (-1), around the middle. */
export function turned(viewport: Viewport, by: 1 | -1): Viewport {
  const { x, y } = viewport.center;
  const center = by === 1 ? { x: 1 - y, y: x } : { x: y, y: 1 - x };
  return { ...viewport, center, turns: ((viewport.turns + by + 4) % 4) as Turns };
}

/** Returns the directions in which a part of it is outside of the stage. */
export function overflow(viewport: Viewport, frame: Frame): { x: boolean; y: boolean } {
  const { width, height } = drawnSize(viewport, frame);
  const { stage } = frame;
  return { x: width > stage.width * (1 + SAME), y: height > stage.height * (1 + SAME) };
}

/** Places the picture. Its corner is on whole screen pixels, so that at 100 % each picture pixel is one of them. */
export function placementOf(viewport: Viewport, frame: Frame): Placement {
  const { picture, stage, density } = frame;
  const { turns } = viewport;
  const zoom = zoomOf(viewport, frame);
  const box = drawnSize(viewport, frame);
  const { x, y } = clampedCenter(viewport, frame);
  const onPixel = (place: number) => Math.round(place * density) / density;
  const left = onPixel(stage.width / 2 - x * box.width);
  const top = onPixel(stage.height / 2 - y * box.height);
  // An element rotates around its own corner, which then is another corner of the box.
  const across = turns === 1 || turns === 2 ? left + box.width : left;
  const down = turns === 2 || turns === 3 ? top + box.height : top;
  const turn = turns === 0 ? "" : ` rotate(${turns * 90}deg)`;
  return {
    zoom,
    width: (picture.width * zoom) / density,
    height: (picture.height * zoom) / density,
    transform: `translate(${across}px, ${down}px)${turn}`,
  };
}

function fitZoom({ picture, stage, margin, density }: Frame, turns: Turns): number {
  const { width, height } = turnedSize(picture, turns);
  const room = (side: number, free: number) => Math.max(1, side - 2 * free);
  return Math.min(1, (room(stage.width, margin.width) / width) * density, (room(stage.height, margin.height) / height) * density);
}

function withinLimits(zoom: number, frame: Frame, turns: Turns): number {
  return Math.min(MAX_ZOOM, Math.max(zoom, Math.min(MIN_ZOOM, fitZoom(frame, turns))));
}

function turnedSize({ width, height }: Size, turns: Turns): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width };
}

/** Returns the size in CSS pixels, after rotation. */
function drawnSize(viewport: Viewport, frame: Frame): Size {
  const { width, height } = turnedSize(frame.picture, viewport.turns);
  const scale = zoomOf(viewport, frame) / frame.density;
  return { width: width * scale, height: height * scale };
}

function settled(viewport: Viewport, frame: Frame): Viewport {
  return { ...viewport, center: clampedCenter(viewport, frame) };
}

/** Returns the centre, such that no edge comes further into the stage than necessary. */
function clampedCenter(viewport: Viewport, frame: Frame): Point {
  const { width, height } = drawnSize(viewport, frame);
  const keep = (part: number, side: number, room: number) => {
    if (side <= room) return 0.5;
    const half = room / 2 / side;
    return Math.min(1 - half, Math.max(half, part));
  };
  return {
    x: keep(viewport.center.x, width, frame.stage.width),
    y: keep(viewport.center.y, height, frame.stage.height),
  };
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= other * SAME;
}

function middle([one, other]: readonly [Point, Point]): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

function distance([one, other]: readonly [Point, Point]): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
