declare module "@joplin/turndown-plugin-gfm" {
  import type Turndown from "turndown";

  /** Tables, struck text, task lists and highlighted code. */
  export const gfm: Turndown.Plugin;
}
