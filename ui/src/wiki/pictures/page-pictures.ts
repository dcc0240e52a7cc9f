// The pictures of a page that is read: a press shows one in the viewer.
import type { Translate } from "../../i18n";
import { originalAddress } from "../blocks/picture-space";

const PICTURES = 'img[src^="/api/asset?path="]';

/** A picture in the viewer. */
export interface PagePictureView {
  /** The address of the file itself. */
  url: string;
  /** The address of what the page shows of it, which has loaded. */
  shown: string;
  text: string;
  caption: string;
}

/** Makes the pictures of a text buttons, except those that are links. */
export function markPictures(text: HTMLElement, t: Translate): void {
  for (const picture of text.querySelectorAll<HTMLImageElement>(PICTURES)) {
    if (picture.closest("a") !== null) continue;
    picture.tabIndex = 0;
    picture.role = "button";
    picture.setAttribute("aria-label", t("reading.picture_enlarge", { name: picture.alt || fileOf(picture) }));
  }
}

/** The picture that a press or a key means; null for any other. */
export function pressedPicture(event: MouseEvent | KeyboardEvent): HTMLImageElement | null {
  const { target } = event;
  if (!(target instanceof HTMLImageElement) || target.role !== "button" || !target.matches(PICTURES)) return null;
  if (event instanceof KeyboardEvent) return event.key === "Enter" || event.key === " " ? target : null;
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey ? target : null;
}

/** All pictures of the page in their order, and the position of one of them. */
export function picturesAround(picture: HTMLImageElement): { pictures: PagePictureView[]; at: number } {
  const all = [...(picture.closest("article")?.querySelectorAll<HTMLImageElement>(PICTURES) ?? [picture])];
  return { pictures: all.map(viewOf), at: Math.max(0, all.indexOf(picture)) };
}

function viewOf(picture: HTMLImageElement): PagePictureView {
  const address = picture.getAttribute("src") ?? "";
  const caption = picture.closest("figure")?.querySelector("figcaption")?.textContent ?? picture.title;
  return { url: originalAddress(address), shown: address, text: picture.alt || fileOf(picture), caption };
}

function fileOf(picture: HTMLImageElement): string {
  return new URL(picture.src, location.href).searchParams.get("file") ?? "";
}
