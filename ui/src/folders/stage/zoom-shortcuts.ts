// The shortcuts that zoom, rotate and pan a picture on the stage.
import type { Shortcut } from "../../api/host";
import { t } from "../../i18n";
import { ACTUAL_KEY, FILL_KEY, FIT_KEY, KEEP_KEY, TURN_LEFT_KEY, TURN_RIGHT_KEY, ZOOM_IN_KEY, ZOOM_OUT_KEY } from "../shortcuts/keys";
import { type Frame, type Viewport, panned, stepped, turned, zoomedTo } from "../../zoom/zoom";

/** The distance of a pan for each press, in CSS pixels. */
const STRIDE = 80;

export interface ZoomContext {
  /** The functions are called when a key is pressed. */
  viewport: () => Viewport;
  frame: () => Frame | null;
  change: (viewport: Viewport) => void;
  /** Present if there is a next picture. */
  keep?: () => void;
}

export function zoomShortcuts(context: ZoomContext): Shortcut[] {
  const run = (work: (viewport: Viewport, frame: Frame) => Viewport) => () => {
    const frame = context.frame();
    if (frame) context.change(work(context.viewport(), frame));
  };
  const zoomIn = run((viewport, frame) => stepped(viewport, frame, 1));
  const zoomOut = run((viewport, frame) => stepped(viewport, frame, -1));
  return [
    { id: "zoom-in", label: t("folders.zoom_in"), key: ZOOM_IN_KEY, repeats: true, run: zoomIn },
    // The same key without Shift, on many keyboards.
    { id: "zoom-in-too", label: t("folders.zoom_in"), key: "=", palette: false, repeats: true, run: zoomIn },
    { id: "zoom-out", label: t("folders.zoom_out"), key: ZOOM_OUT_KEY, repeats: true, run: zoomOut },
    { id: "zoom-actual", label: t("folders.zoom_actual"), key: ACTUAL_KEY, run: run((viewport, frame) => zoomedTo(viewport, frame, 1)) },
    { id: "zoom-fit", label: t("folders.zoom_fit"), key: FIT_KEY, run: run((viewport, frame) => zoomedTo(viewport, frame, "fit")) },
    { id: "zoom-fill", label: t("folders.zoom_fill"), key: FILL_KEY, run: run((viewport, frame) => zoomedTo(viewport, frame, "fill")) },
    { id: "turn-right", label: t("folders.turn_right"), key: TURN_RIGHT_KEY, run: run((viewport) => turned(viewport, 1)) },
    { id: "turn-left", label: t("folders.turn_left"), key: TURN_LEFT_KEY, run: run((viewport) => turned(viewport, -1)) },
    ...(context.keep ? [{ id: "keep-view", label: t("folders.keep_view"), key: KEEP_KEY, run: context.keep }] : []),
  ];
}

/** Returns the arrow keys that pan a picture larger than the stage, in the directions with hidden parts. */
export function panShortcuts({ viewport, frame, change }: ZoomContext, { x, y }: { x: boolean; y: boolean }): Shortcut[] {
  const run = (across: number, down: number) => () => {
    const on = frame();
    if (on) change(panned(viewport(), on, { x: across * STRIDE, y: down * STRIDE }));
  };
  const sideways = [
    { id: "pan-left", label: t("folders.pan"), key: "ArrowLeft", palette: false, repeats: true, run: run(1, 0) },
    { id: "pan-right", label: t("folders.pan"), key: "ArrowRight", palette: false, repeats: true, run: run(-1, 0) },
  ];
  const upright = [
    { id: "pan-up", label: t("folders.pan"), key: "ArrowUp", palette: false, repeats: true, run: run(0, 1) },
    { id: "pan-down", label: t("folders.pan"), key: "ArrowDown", palette: false, repeats: true, run: run(0, -1) },
  ];
  return [...(x ? sideways : []), ...(y ? upright : [])];
}
