// Links to the outside: opened after a question, and only for schemes of pages and mail.
import { parseUrl } from "../routes";
import type { DesktopApi } from "../../api/backend";
import { t } from "../../i18n";
import type { Confirmations } from "../messages/confirmations.svelte";
import type { Toasts } from "../messages/toasts.svelte";

const ALLOWED = new Set(["http:", "https:", "mailto:"]);

export class ExternalLinks {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly toasts: Toasts,
    private readonly desktop: DesktopApi | null,
  ) {}

  async open(address: string): Promise<void> {
    const url = parseUrl(address);
    if (!url || !ALLOWED.has(url.protocol)) {
      this.toasts.show(t("leave.refused"), { tone: "warn" });
      return;
    }
    const yes = await this.confirmations.ask({
      title: t("leave.title"),
      message: t(this.desktop ? "leave.message" : "leave.message_tab", { url: url.href }),
      confirm: t("leave.open"),
    });
    if (!yes) return;
    if (this.desktop) await this.desktop.openExternal(url.href);
    else window.open(url.href, "_blank", "noopener,noreferrer");
  }
}
