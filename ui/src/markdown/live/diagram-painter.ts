// Mermaid, as it runs in the document of `diagram-stage.ts`.
import mermaid, { type MermaidConfig } from "mermaid";

/** What the page calls. Errors of this document are none of the page's, so they come as their messages. */
export interface DiagramPainter {
  initialize: (config: MermaidConfig) => void;
  render: (id: string, source: string) => Promise<{ svg: string } | { failure: string }>;
  /** A drawing as an element; the page's own policy would strip it of its styles. */
  parse: (svg: string) => SVGSVGElement | null;
}

declare global {
  interface Window {
    diagramPainter?: DiagramPainter;
  }
}

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
  parse: (svg) => new DOMParser().parseFromString(svg, "text/html").querySelector("svg"),
};
