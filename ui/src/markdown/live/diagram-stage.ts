// The document in which diagrams are drawn. A diagram may name pictures, icons and styles by address, and Mermaid fetches
// them while it draws, with the reader's own session; in this document nothing but its script can be fetched at all.
import type { DiagramPainter } from "./diagram-painter";
import painterUrl from "./diagram-painter?worker&url";

/** Its policy is the server's (`crates/server/src/guard/headers.rs`): Mermaid writes styles into it. */
const STAGE_URL = "/static/diagram-stage.html";
/** Scripts come from the folder of the part that draws alone; it holds the other parts of that, too. */
const SCRIPTS = new URL(".", new URL(painterUrl, location.href));
const POLICY = `script-src ${SCRIPTS.href}`;

/** Resolves when diagrams can be drawn in it. */
export async function openStage(): Promise<DiagramPainter> {
  const frame = document.createElement("iframe");
  frame.className = "diagram-stage";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.src = STAGE_URL;
  const opened = loaded(frame, "the document in which diagrams are drawn did not come");
  document.body.append(frame);
  try {
    await opened;
    return await loadPainter(frame);
  } catch (error) {
    frame.remove();
    throw error;
  }
}

async function loadPainter({ contentDocument: inner, contentWindow }: HTMLIFrameElement): Promise<DiagramPainter> {
  if (inner === null || contentWindow === null) throw new Error("BUG: a frame of ours has no document");
  const policy = inner.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = POLICY;
  inner.head.append(policy);
  const script = inner.createElement("script");
  script.type = "module";
  script.src = new URL(painterUrl, location.href).href;
  const started = loaded(script, "the part that draws diagrams did not come");
  inner.head.append(script);
  await started;
  const { diagramPainter } = contentWindow;
  if (diagramPainter === undefined) throw new Error("the part that draws diagrams did not start");
  return diagramPainter;
}

async function loaded(element: HTMLElement, failure: string): Promise<void> {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => reject(new Error(failure)));
  });
}
