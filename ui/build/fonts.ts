// Of KaTeX's fonts only the WOFF2 ones: every engine that we build for reads them, and the others are thrice the size.
import type { Plugin } from "vite";

const OTHERS = /,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("(?:woff|truetype)"\)/g;

/** The style sheet without the other fonts. */
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
