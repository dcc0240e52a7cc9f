// The findings of rolling verification in the background, reported once.
import type { EventMap } from "../../api/events/events";
import { hashesAddress } from "../../api/addresses/hashes-address";
import type { ToastOptions } from "../../api/host";
import { t } from "../../i18n";

interface FindingsHost {
  toast(message: string, options: ToastOptions): void;
  navigate(address: string): void | Promise<void>;
}

/** Reports the number of damaged files, or else of files that differ from their records; stays until it is closed. */
export function reportHashFindings({ corrupt, changed, missing }: EventMap["hashes.found"], app: FindingsHost): void {
  const isDamage = corrupt > 0;
  const message = isDamage ? t("hashes.found_damaged", { count: corrupt }) : t("hashes.found_changed", { count: changed + missing });
  app.toast(message, {
    tone: isDamage ? "bad" : "warn",
    duration: null,
    action: { label: t("hashes.show_records"), run: () => app.navigate(hashesAddress()) },
  });
}
