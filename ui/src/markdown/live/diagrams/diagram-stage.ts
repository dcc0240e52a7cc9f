// The document in which diagrams are drawn. A diagram may name pictures, icons and styles by address, and Mermaid
// fetches them while it draws, with the reader's session. This document can fetch nothing but its script.
import { styleNonce } from "../../sanitizing/style-nonce";
import { trustedHtml } from "../../sanitizing/trusted-html";
import type { DiagramPainter } from "./diagram-painter";
import painterUrl from "./diagram-painter?worker&url";

const SCRIPT = new URL(painterUrl, location.href);
/** The folder of the script, which also contains its chunks. */
const SCRIPTS = new URL(".", SCRIPT);
/**
 * The policy of the document. Fonts are the system's. Styles are limited by the page's policy, which a document without
 * an address inherits.
 */
const POLICY = `default-src 'none'; script-src ${SCRIPTS.href}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;

/** Creates the document. Resolves once diagrams can be drawn in it. */
export async function openStage(): Promise<DiagramPainter> {
  const frame = document.createElement("iframe");
  frame.className = "diagram-stage";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  document.body.append(frame);
  try {
    return await loadPainter(frame);
  } catch (error) {
    frame.remove();
    throw error;
  }
}

async function loadPainter({ contentDocument: inner, contentWindow }: HTMLIFrameElement): Promise<DiagramPainter> {
  if (inner === null || contentWindow === null) throw new Error("BUG: a frame of ours has no document");
  inner.open();
  inner.write(trustedHtml(stageHtml(styleNonce())));
  const script = inner.querySelector("script");
  if (script === null) throw new Error("BUG: the document for diagrams has no script");
  const loaded = new Promise<void>((resolve, reject) => {
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("the part that draws diagrams did not come")));
  });
  inner.close();
  await loaded;
  const { diagramPainter } = contentWindow;
  if (diagramPainter === undefined) throw new Error("the part that draws diagrams did not start");
  return diagramPainter;
}

function stageHtml(nonce: string): string {
  return `<!doctype html>
    <meta http-equiv="Content-Security-Policy" content="${POLICY}">
    <meta property="csp-nonce" nonce="${nonce}">
    <style nonce="${nonce}">body { margin: 0 }</style>
    <script type="module" src="${SCRIPT.href}"></script>
    <body>`;
}
