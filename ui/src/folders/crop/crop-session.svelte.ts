// A crop that is being chosen: the frame, its ratio, and the rotation of the picture beneath it.
import type { Crop, FolderEntry } from "../../api/backend";
import { isSameCrop, turnedCrop, unturnedCrop, WHOLE } from "../entries/crops";
import { fileSize, isSideways, turnOf } from "../entries/turns";
import type { Point, Size } from "../../zoom/zoom";
import { type CropFrame, cropOf, fitted, frameOf, type Handle, MAX_ANGLE, moved, resized, type Underlay, wholeFrame, withRatio } from "./crop-frame";

/** The ratios that are offered, by the longer side over the shorter one; null for any. */
export const RATIOS = ["free", "original", "1:1", "3:2", "4:3", "16:9"] as const;
export type Ratio = (typeof RATIOS)[number];

/** The distance that a key moves, as a part of the picture's longer side. */
const STRIDE = 0.01;

export class CropSession {
  /** The size of the whole picture as it is turned, in pixels. */
  readonly picture: Size;
  readonly turn: number;
  ratio = $state<Ratio>("free");
  isPortrait = $state(false);
  /** The rotation of the picture in degrees to the right. */
  angle = $state(0);
  /** The frame that the user chose. The shown one is smaller where the rotated picture does not fill it. */
  #wanted = $state.raw<CropFrame>({ x: 0, y: 0, width: 1, height: 1 });
  /** The frame before its ratio was chosen: each ratio is one of it. */
  #free: CropFrame = this.#wanted;
  readonly underlay = $derived.by((): Underlay => ({ picture: this.picture, angle: this.angle }));
  readonly frame = $derived.by(() => fitted(this.#wanted, this.underlay));
  /** The crop before. */
  readonly #before: Crop;

  constructor(entry: FolderEntry) {
    this.turn = turnOf(entry);
    const { width, height } = fileSize(entry) ?? { width: 3, height: 2 };
    this.picture = isSideways(this.turn) ? { width: height, height: width } : { width, height };
    this.#before = turnedCrop(entry.crop ?? WHOLE, this.turn);
    this.isPortrait = this.picture.height > this.picture.width;
    this.#show(this.#before);
  }

  /** The crop of the upright picture, before its turn. */
  get crop(): Crop {
    return unturnedCrop(cropOf(this.frame, this.underlay), this.turn);
  }

  get isChanged(): boolean {
    return !isSameCrop(cropOf(this.frame, this.underlay), this.#before);
  }

  get isWhole(): boolean {
    return isSameCrop(cropOf(this.frame, this.underlay), WHOLE);
  }

  /** The size of the part, in pixels. */
  get size(): Size {
    return { width: Math.max(1, Math.round(this.frame.width)), height: Math.max(1, Math.round(this.frame.height)) };
  }

  /** The ratio of width to height that the frame keeps; null for any. */
  get #number(): number | null {
    if (this.ratio === "free") return null;
    const [long, short] = this.ratio === "original" ? [Math.max(this.picture.width, this.picture.height), Math.min(this.picture.width, this.picture.height)] : this.ratio.split(":").map(Number);
    const number = (long ?? 1) / (short ?? 1);
    return this.isPortrait ? 1 / number : number;
  }

  readonly setRatio = (ratio: Ratio): void => {
    this.ratio = ratio;
    this.#keepRatio();
  };

  /** Exchanges the sides of the frame. */
  readonly togglePortrait = (): void => {
    this.isPortrait = !this.isPortrait;
    const { x, y, width, height } = this.frame;
    if (this.ratio === "free") this.#choose(fitted({ x, y, width: height, height: width }, this.underlay));
    else this.#keepRatio();
  };

  readonly straighten = (angle: number): void => {
    this.angle = Math.min(MAX_ANGLE, Math.max(-MAX_ANGLE, Number.isFinite(angle) ? angle : 0));
  };

  /** Moves the frame from a place where a drag began. */
  move(from: CropFrame, by: Point): void {
    this.#choose(moved(from, by, this.underlay));
  }

  resize(from: CropFrame, handle: Handle, by: Point): void {
    this.#choose(resized(from, handle, by, this.#number, this.underlay));
  }

  /** Moves the frame by a key. */
  readonly step = (across: number, down: number): void => this.move(this.frame, this.#stride(across, down));

  /** Moves the right or the lower side by a key. */
  readonly grow = (across: number, down: number): void => {
    this.resize(this.frame, { across: across === 0 ? 0 : 1, down: down === 0 ? 0 : 1 }, this.#stride(across, down));
  };

  readonly reset = (): void => {
    this.ratio = "free";
    this.#show(WHOLE);
  };

  #show(crop: Crop): void {
    const { frame, angle } = frameOf(crop, this.picture);
    this.angle = angle;
    this.#choose(crop === WHOLE ? wholeFrame(this.picture) : frame);
  }

  #choose(frame: CropFrame): void {
    this.#wanted = frame;
    this.#free = frame;
  }

  #keepRatio(): void {
    const number = this.#number;
    this.#wanted = number === null ? this.#free : withRatio(this.#free, number, this.underlay);
  }

  #stride(across: number, down: number): Point {
    const stride = Math.max(1, STRIDE * Math.max(this.picture.width, this.picture.height));
    return { x: across * stride, y: down * stride };
  }
}
