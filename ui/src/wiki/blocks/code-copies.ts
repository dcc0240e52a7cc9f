// A button on each block of code that copies it.
import type { Host } from "../../api/host";

/** Diagrams and galleries show something else than their source. */
const CODE = "pre > code";
const BOXED = ".diagram, .gallery";
/** The time for which a button says that it has copied, in milliseconds. */
const SAID = 2_000;

/** Adds the missing buttons to a drawn page. */
export function addCopyButtons(article: HTMLElement, host: Pick<Host, "t" | "toast">): void {
  for (const code of article.querySelectorAll<HTMLElement>(CODE)) {
    const pre = code.parentElement;
    if (pre === null || code.closest(BOXED) !== null || pre.querySelector(":scope > .code-copy") !== null) continue;
    pre.prepend(boxOf(code, host));
  }
}

/** A box without height, which stays in place while the code scrolls. Its button has no text that a copy would contain. */
function boxOf(code: HTMLElement, host: Pick<Host, "t" | "toast">): HTMLElement {
  const box = document.createElement("div");
  box.className = "code-copy";
  const button = document.createElement("button");
  button.type = "button";
  button.dataset["testid"] = "code-copy";
  name(button, host.t("reading.code_copy"));
  button.addEventListener("click", () => void copy(code, button, host));
  box.append(button);
  return box;
}

function name(button: HTMLButtonElement, label: string): void {
  button.setAttribute("aria-label", label);
  button.title = label;
}

async function copy(code: HTMLElement, button: HTMLButtonElement, host: Pick<Host, "t" | "toast">): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ""));
  } catch {
    // The browser denies access to the clipboard: the user's own command copies the selection.
    getSelection()?.selectAllChildren(code);
    host.toast(host.t("reading.code_selected"), { tone: "warn" });
    return;
  }
  host.toast(host.t("reading.code_copied"), { tone: "good", duration: SAID });
  button.dataset["copied"] = "";
  name(button, host.t("reading.code_copied"));
  setTimeout(() => {
    delete button.dataset["copied"];
    name(button, host.t("reading.code_copy"));
  }, SAID);
}
