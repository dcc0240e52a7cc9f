// Copying a short text, with a message.
import type { Host } from "../api/host";

export async function copyText(text: string, host: Pick<Host, "t" | "toast">): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    host.toast(host.t("wiki.copied", { text }), { tone: "good", duration: 4_000 });
  } catch {
    // The browser denies access to the clipboard: the text is shown so that the user can copy it by hand.
    host.toast(text, { duration: null });
  }
}
