// The keys that the user has changed. Controls name the usual key of their action, and show the present one.

const NONE: ReadonlyMap<string, string> = new Map();
let source: () => ReadonlyMap<string, string> = () => NONE;

/** Sets the source of the present keys by the usual ones. Returns a function that removes it. */
export function showChangedKeys(changed: () => ReadonlyMap<string, string>): () => void {
  source = changed;
  return () => {
    if (source === changed) source = () => NONE;
  };
}

/** The present key of an action with this usual key. Reactive. */
export function presentKey(usual: string): string {
  return source().get(usual) ?? usual;
}
