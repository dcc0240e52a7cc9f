// Keeps only KaTeX's WOFF2 fonts: every supported engine reads them, and the others are three times the size.
import type { Plugin } from "vite";

const OTHERS = /,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("(?:woff|truetype)"\)/g;

/** Returns the style sheet without the other fonts. */
export function onlyWoff2(css: string): string {
  return css.replace(OTHERS, "");
}

/** A Vite plugin for the style sheet of KaTeX. */
export function fonts(): Plugin {
  return {
    name: "fumikura:fonts",
    enforce: "pre",
    transform: (css, id) => (/katex[^/]*\.css$/.test(id.split("?")[0] ?? "") ? { code: onlyWoff2(css), map: null } : null),
  };
}
