// Decoding of images outside of the document, in the background of each engine.

/** True for WebKit, which decodes elements in the background and bitmaps in the page's thread. Others do the opposite. */
export function decodesElements(): boolean {
  return navigator.vendor.startsWith("Apple");
}

export async function decodedElement(url: string, signal: AbortSignal): Promise<HTMLImageElement> {
  const image = new Image();
  const giveUp = () => image.removeAttribute("src");
  signal.addEventListener("abort", giveUp);
  image.src = url;
  await image.decode();
  signal.removeEventListener("abort", giveUp);
  return image;
}

/** Decodes the contents of a file. */
export async function decodedBlob(blob: Blob, signal: AbortSignal): Promise<HTMLImageElement | ImageBitmap> {
  if (!decodesElements()) return createImageBitmap(blob);
  const url = URL.createObjectURL(blob);
  try {
    return await decodedElement(url, signal);
  } finally {
    URL.revokeObjectURL(url);
  }
}
