// The part of `markdown-it-footnote` that we use; the package carries no types for this markdown-it.
declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  export default function footnote(md: MarkdownIt): void;
}
