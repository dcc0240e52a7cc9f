// Converts the HTML of another program to Markdown.
import { gfm } from "@joplin/turndown-plugin-gfm";
import DOMPurify from "dompurify";
import Turndown from "turndown";

const PURIFY = {
  RETURN_DOM_FRAGMENT: true,
  FORBID_TAGS: ["style", "script", "svg", "math", "button", "iframe", "video", "audio"],
  ADD_ATTR: ["start"],
} as const;

const turndown = new Turndown({ headingStyle: "atx", hr: "---", bulletListMarker: "-", codeBlockStyle: "fenced", emDelimiter: "*" });
turndown.use(gfm);
// Items are indented by the width of their markers.
turndown.addRule("items", {
  filter: "li",
  replacement: (content, node) => {
    const list = node.parentElement;
    const index = list === null ? 0 : [...list.children].indexOf(node);
    const marker = list?.localName === "ol" ? `${Number(list.getAttribute("start") ?? 1) + index}. ` : "- ";
    return marker + content.trim().replaceAll("\n", `\n${" ".repeat(marker.length)}`) + (node.nextSibling === null ? "" : "\n");
  },
});
// Pictures that are part of the clipboard's text would be a line of megabytes.
turndown.addRule("embedded pictures", {
  filter: (node) => node.nodeName === "IMG" && !/^https?:/i.test(node.getAttribute("src") ?? ""),
  replacement: (_content, node) => (node instanceof Element ? (node.getAttribute("alt") ?? "") : ""),
});
// A link to a script or to a place of the other program leads nowhere.
turndown.addRule("dead links", {
  filter: (node) => node.nodeName === "A" && !/^(?:https?|mailto):/i.test(node.getAttribute("href") ?? ""),
  replacement: (content) => content,
});

/** Returns null if the HTML is only text. */
export function htmlToMarkdown(html: string): string | null {
  const box = document.implementation.createHTMLDocument().createElement("div");
  box.append(DOMPurify.sanitize(html, { ...PURIFY, FORBID_TAGS: [...PURIFY.FORBID_TAGS], ADD_ATTR: [...PURIFY.ADD_ATTR] }));
  for (const element of box.querySelectorAll<HTMLElement>("b, span")) normalize(element);
  const markdown = turndown.turndown(box).replaceAll("\u00a0", " ").replace(/[ \t]+$/gm, "").trim();
  return markdown === "" || markdown === box.textContent.trim() ? null : markdown;
}

/** Some programs wrap everything in `<b>` without a weight, and write bold text as a style. */
function normalize(element: HTMLElement): void {
  const { fontWeight, fontStyle } = element.style;
  if (element.localName === "b") {
    if (fontWeight === "normal" || fontWeight === "400") element.replaceWith(...element.childNodes);
    return;
  }
  const names = [...(Number(fontWeight) >= 600 || fontWeight === "bold" ? ["strong"] : []), ...(fontStyle === "italic" ? ["em"] : [])];
  for (const name of names) {
    const wrapper = element.ownerDocument.createElement(name);
    wrapper.append(...element.childNodes);
    element.append(wrapper);
  }
}
