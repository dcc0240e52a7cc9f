// The part of `markdown-it-footnote` that is used here. The package has no types for this version of markdown-it.
declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  export default function footnote(md: MarkdownIt): void;
}
