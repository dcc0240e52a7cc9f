// Copying a short text, which is said.
import type { Host } from "../api/host";

export async function copyText(text: string, host: Pick<Host, "t" | "toast">): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    host.toast(host.t("wiki.copied", { text }), { tone: "good", duration: 4_000 });
  } catch {
    // The browser allows no clipboard here: then the person copies by hand, and the text is on the screen for it.
    host.toast(text, { duration: null });
  }
}
