// The address of the imported texts: the list of those that wait for a decision, and the text that is open.

const ADDRESS = "/imported-texts";

export interface ImportedTextsPlace {
  /** The id of the open text; null for the list. */
  text: string | null;
}

/** Parses an address of the imported texts; null for any other address. */
export function parseImportedTextsAddress({ pathname, searchParams }: URL): ImportedTextsPlace | null {
  return pathname === ADDRESS ? { text: searchParams.get("text") } : null;
}

export function importedTextsAddress(text: string | null = null): string {
  return text === null ? ADDRESS : `${ADDRESS}?${new URLSearchParams({ text }).toString()}`;
}
