// Plugins without types for this version of markdown-it.
declare module "markdown-it-deflist" {
  import type { MarkdownIt } from "markdown-it";

  export default function definitionLists(md: MarkdownIt): void;
}
declare module "markdown-it-mark" {
  import type { MarkdownIt } from "markdown-it";

  export default function marks(md: MarkdownIt): void;
}
