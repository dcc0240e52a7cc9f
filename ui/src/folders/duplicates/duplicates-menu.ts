// The action that opens the search for duplicates.
import CopyCheck from "@lucide/svelte/icons/copy-check";
import { duplicatesAddress } from "../../api/addresses/duplicates-address";
import type { FilePlace } from "../../api/backend";
import type { Action, Host } from "../../api/host";
import { t } from "../../i18n";

const FIND_KEY = "Shift+u";

/** The action of a folder, or of all folders. */
export function duplicatesMenu(folder: FilePlace | null, host: Pick<Host, "navigate">): Action[] {
  const run = async () => void (await host.navigate(duplicatesAddress(folder)));
  return [{ id: "find-duplicates", label: t("duplicates.find"), key: FIND_KEY, menu: true, icon: CopyCheck, run }];
}
