// The address of the mirror: the list of the files that were edited outside, and the file that is open.

const ADDRESS = "/mirror";

export interface MirrorPlace {
  /** The path of the open file below the mirror's folder; null for the list. */
  file: string | null;
}

/** Parses an address of the mirror; null for any other address. */
export function parseMirrorAddress({ pathname, searchParams }: URL): MirrorPlace | null {
  return pathname === ADDRESS ? { file: searchParams.get("file") } : null;
}

export function mirrorAddress(file: string | null = null): string {
  return file === null ? ADDRESS : `${ADDRESS}?${new URLSearchParams({ file }).toString()}`;
}
