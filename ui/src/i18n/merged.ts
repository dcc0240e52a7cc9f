// One catalogue from those of all folders.
import type { Catalogue } from "./message";

export function merged(files: Record<string, Catalogue>): Catalogue {
  return Object.assign({}, ...Object.values(files)) as Catalogue;
}
