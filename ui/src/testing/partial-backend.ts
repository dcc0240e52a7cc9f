// A backend with some operations only, whose answers have the types of the OpenAPI document.
import type { Backend } from "../api/backend";

export type BackendParts = { [Part in keyof Backend]?: Partial<Backend[Part]> };

/** Operations that the views do not use are absent: a test that needs one fails at once. */
export function partialBackend(parts: BackendParts): Backend {
  return parts as Backend;
}
