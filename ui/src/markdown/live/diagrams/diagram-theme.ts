// The look of a diagram: the page's current colours and font.
import { MAX_DIAGRAM_LENGTH, MAX_DIAGRAM_STATEMENTS } from "../../rendering/bounds";
import type { MermaidConfig } from "mermaid";

const COLOURS = ["paper", "paper-sunken", "ink", "ink-soft", "indigo", "indigo-wash", "pine-wash", "amber", "amber-wash", "seal-wash", "line-strong"] as const;

export interface DiagramTheme {
  dark: boolean;
  font: string;
  colours: Record<(typeof COLOURS)[number], string>;
}

/** Reads the look from an element inside `place`, whose theme applies. */
export function readDiagramTheme(place: HTMLElement): DiagramTheme {
  const probe = document.createElement("span");
  place.append(probe);
  const style = getComputedStyle(probe);
  const colours = Object.fromEntries(
    COLOURS.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, style.color];
    }),
  ) as DiagramTheme["colours"];
  probe.style.fontFamily = "var(--font-ui)";
  const theme = { dark: isDark(), font: style.fontFamily, colours };
  probe.remove();
  return theme;
}

/** Reads only the font, which is cheaper. The size of a diagram depends on the font, not on the colours. */
export function readFont(place: HTMLElement): string {
  return getComputedStyle(place).getPropertyValue("--font-ui");
}

/** True if the theme is dark, by the setting or otherwise by the system. */
function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Calls back after each change of the theme. */
export function onThemeChange(changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  signal.addEventListener("abort", () => observer.disconnect());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, { signal });
}

/** The settings that no diagram may override: Mermaid's own list, and all that could add styles. */
const OURS = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "maxTextSize",
  "maxEdges",
  "suppressErrorRendering",
  "htmlLabels",
  "theme",
  "themeCSS",
  "themeVariables",
  "darkMode",
  "fontFamily",
  "altFontFamily",
  "dompurifyConfig",
];

/** Returns Mermaid's settings: strict, and not changeable by a page. */
export function themeOf({ dark, font, colours }: DiagramTheme): MermaidConfig {
  return {
    startOnLoad: false,
    securityLevel: "strict",
    secure: OURS,
    maxTextSize: MAX_DIAGRAM_LENGTH,
    maxEdges: MAX_DIAGRAM_STATEMENTS,
    suppressErrorRendering: true,
    // Labels as SVG text: only some engines draw HTML in a picture.
    htmlLabels: false,
    fontFamily: font,
    theme: "base",
    // The background is half transparent by default, and the arrows run through the words.
    themeCSS: ".edgeLabel rect, .edgeLabel .background { opacity: 1 }",
    darkMode: dark,
    themeVariables: {
      darkMode: dark,
      fontFamily: font,
      fontSize: "15px",
      background: colours.paper,
      primaryColor: colours["indigo-wash"],
      primaryTextColor: colours.ink,
      primaryBorderColor: colours.indigo,
      secondaryColor: colours["pine-wash"],
      tertiaryColor: colours["paper-sunken"],
      tertiaryBorderColor: colours["line-strong"],
      lineColor: colours["ink-soft"],
      textColor: colours.ink,
      titleColor: colours.ink,
      edgeLabelBackground: colours.paper,
      noteBkgColor: colours["amber-wash"],
      noteTextColor: colours.ink,
      noteBorderColor: colours.amber,
      errorBkgColor: colours["seal-wash"],
      errorTextColor: colours.ink,
    },
  };
}
