// The address of the tags of all pictures; one of them can be chosen.

export const PICTURE_TAGS_ADDRESS = "/picture-tags";

export interface PictureTagsPlace {
  /** The chosen tag; null for none. */
  tag: string | null;
}

export function pictureTagsAddress(tag: string): string {
  return `${PICTURE_TAGS_ADDRESS}?${new URLSearchParams({ tag }).toString()}`;
}

/** The place of the address; null for any other address. */
export function parsePictureTagsAddress({ pathname, searchParams }: URL): PictureTagsPlace | null {
  return pathname === PICTURE_TAGS_ADDRESS ? { tag: searchParams.get("tag") } : null;
}
