// The part of `commonmark-spec` that the tests use; the package carries no types.
declare module "commonmark-spec" {
  export const tests: { number: number; section: string; markdown: string; html: string }[];
}
