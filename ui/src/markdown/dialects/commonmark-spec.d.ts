// The part of `commonmark-spec` that the tests use. The package has no types.
declare module "commonmark-spec" {
  export const tests: { number: number; section: string; markdown: string; html: string }[];
}
