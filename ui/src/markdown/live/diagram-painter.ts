// Mermaid, as it runs in the document of `diagram-stage.ts`.
import mermaid, { type MermaidConfig } from "mermaid";
import { fitPolicy } from "./diagram-policy";

/** What the page calls. Errors of this document are none of the page's, so they come as their messages. */
export interface DiagramPainter {
  initialize: (config: MermaidConfig) => void;
  render: (id: string, source: string) => Promise<{ svg: string } | { failure: string }>;
  /** A drawing as an element, here rather than in the page, as the policy reports each of its styles where it is parsed. */
  parse: (svg: string) => SVGSVGElement | null;
}

declare global {
  interface Window {
    diagramPainter?: DiagramPainter;
  }
}

fitPolicy();
window.diagramPainter = {
  initialize: (config) => mermaid.initialize(config),
  render: async (id, source) => {
    const place = document.createElement("div");
    document.body.append(place);
    try {
      return { svg: (await mermaid.render(id, source, place)).svg };
    } catch (error) {
      return { failure: error instanceof Error ? error.message : String(error) };
    } finally {
      place.remove();
    }
  },
  parse: (svg) => {
    const root = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
    // The policy leaves parsed `style` attributes as text, which nobody could change in part.
    if (root !== null) root.style.cssText = root.getAttribute("style") ?? "";
    return root;
  },
};
