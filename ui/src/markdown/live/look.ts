// How a diagram looks: the page's own colours and font, as they are at the moment.
import type { MermaidConfig } from "mermaid";

const COLOURS = ["paper", "paper-sunken", "ink", "ink-soft", "indigo", "indigo-wash", "pine-wash", "amber", "amber-wash", "seal-wash", "line-strong"] as const;

export interface Look {
  dark: boolean;
  font: string;
  colours: Record<(typeof COLOURS)[number], string>;
}

/** Read off an element inside `place`, whose theme counts. */
export function readLook(place: HTMLElement): Look {
  const probe = document.createElement("span");
  place.append(probe);
  const style = getComputedStyle(probe);
  const colours = Object.fromEntries(
    COLOURS.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, style.color];
    }),
  ) as Look["colours"];
  probe.style.fontFamily = "var(--font-ui)";
  const look = { dark: isDark(), font: style.fontFamily, colours };
  probe.remove();
  return look;
}

/** The font of diagrams alone, which asks less of the browser: by it they differ in size, by colours they don't. */
export function readFont(place: HTMLElement): string {
  return getComputedStyle(place).getPropertyValue("--font-ui");
}

/** By the setting, else by the system. */
function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Calls back whenever the theme has changed. */
export function onThemeChange(changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  signal.addEventListener("abort", () => observer.disconnect());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, { signal });
}

/** What no diagram may say for itself: Mermaid's own list, and whatever could bring styles of its own. */
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

/** Mermaid's settings: strict, and nothing that a page says changes that. */
export function themeOf({ dark, font, colours }: Look): MermaidConfig {
  return {
    startOnLoad: false,
    securityLevel: "strict",
    secure: OURS,
    suppressErrorRendering: true,
    // Words as words of SVG: HTML in a picture is drawn by some engines only.
    htmlLabels: false,
    fontFamily: font,
    theme: "base",
    // Its ground is half transparent otherwise, and the arrows run through the words.
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
