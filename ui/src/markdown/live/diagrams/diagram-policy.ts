// Adapts Mermaid to the page's policy, which the document of `diagram-stage.ts` inherits: it requires trusted types and
// a nonce on each style element, and refuses `style` attributes. Only that document is changed.
import { styleNonce } from "../../sanitizing/style-nonce";
import { createHtmlPolicy } from "../../sanitizing/trusted-types";

type Answer = (method: () => unknown, self: unknown, parts: unknown[]) => unknown;

/** Patches the document. Must be called before anything is drawn. */
export function fitPolicy(): void {
  // Applies only to HTML: scripts and their addresses stay refused.
  createHtmlPolicy("default");
  const nonce = styleNonce();
  for (const name of ["createElement", "createElementNS"]) {
    intercept(Document.prototype, name, (create) => {
      const element = create();
      if (element instanceof HTMLStyleElement || element instanceof SVGStyleElement) element.nonce = nonce;
      return element;
    });
  }
  intercept(Element.prototype, "setAttribute", (set, element, [name, value]) => (setStyle(element, name, value) ? undefined : set()));
  intercept(Element.prototype, "setAttributeNS", (set, element, [namespace, name, value]) =>
    namespace === null && setStyle(element, name, value) ? undefined : set(),
  );
}

function intercept(owner: Document | Element, name: string, answer: Answer): void {
  const method = Reflect.get(owner, name) as (...parts: unknown[]) => unknown;
  Reflect.set(owner, name, function (this: unknown, ...parts: unknown[]) {
    return answer(() => Reflect.apply(method, this, parts), this, parts);
  });
}

/**
 * Sets a style through the object model, the only way that the policy allows for scripts. False if `name` is not a
 * style.
 */
function setStyle(element: unknown, name: unknown, value: unknown): boolean {
  if (name !== "style" || !(element instanceof HTMLElement || element instanceof SVGElement)) return false;
  element.style.cssText = String(value);
  return true;
}
