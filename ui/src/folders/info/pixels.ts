// The pixels of a picture of limited size, read while the engine is idle.
import { runWhenIdle } from "../thumbnails/idle-task";

/** Returns the pixels; null if they can't be read: the picture can't be decoded, or the engine withholds them. */
export async function pixelsOf(url: string, signal: AbortSignal): Promise<Uint8ClampedArray | null> {
  const image = new Image();
  image.src = url;
  const giveUp = () => image.removeAttribute("src");
  signal.addEventListener("abort", giveUp);
  try {
    await image.decode();
    return (await idle(signal)) ? readPixels(image) : null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** Waits until the engine is idle, for a second at most. False if aborted meanwhile. */
function idle(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const leave = runWhenIdle(() => resolve(true), 1_000);
    const giveUp = () => {
      leave();
      resolve(false);
    };
    signal.addEventListener("abort", giveUp, { once: true });
  });
}

function readPixels(image: HTMLImageElement): Uint8ClampedArray | null {
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width === 0 || height === 0) return null;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return null;
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height).data;
}
