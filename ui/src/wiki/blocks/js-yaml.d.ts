// The part of `js-yaml` that is used here. The package has no types of its own.
declare module "js-yaml" {
  export interface Schema {
    readonly schema: unique symbol;
  }

  export const CORE_SCHEMA: Schema;

  export class YAMLException extends Error {
    readonly reason: string;
    /** Absent if the whole text is meant. */
    readonly mark?: { line: number; column: number };
  }

  /** Parses one document; `undefined` for an empty one. Throws a `YAMLException`. */
  export function load(text: string, options?: { schema?: Schema }): unknown;
}
