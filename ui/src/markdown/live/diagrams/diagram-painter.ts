// Mermaid, as it runs in the document of `diagram-stage.ts`.
import mermaid, { type MermaidConfig } from "mermaid";
import { DIAGRAM_TIME } from "../../rendering/bounds";
import { fitPolicy } from "./diagram-policy";
import { WorkLimit } from "./work-limit";

/**
 * The interface for the page. Errors of this document are not instances of the page's classes, so they are returned as
 * messages.
 */
export interface DiagramPainter {
  initialize: (config: MermaidConfig) => void;
  render: (id: string, source: string) => Promise<{ svg: string } | { failure: string } | { isTooLong: true }>;
  /**
   * Parses a drawing into an element. It is parsed here rather than in the page because the policy reports each of its
   * styles where it is parsed.
   */
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
    const limit = new WorkLimit(DIAGRAM_TIME);
    try {
      return { svg: (await mermaid.render(id, source, place)).svg };
    } catch (error) {
      if (limit.isSpent) return { isTooLong: true };
      return { failure: error instanceof Error ? error.message : String(error) };
    } finally {
      limit.end();
      place.remove();
    }
  },
  parse: (svg) => {
    const root = new DOMParser().parseFromString(svg, "text/html").querySelector("svg");
    // The policy leaves parsed `style` attributes as text, whose single properties can't be changed.
    if (root !== null) root.style.cssText = root.getAttribute("style") ?? "";
    return root;
  },
};
