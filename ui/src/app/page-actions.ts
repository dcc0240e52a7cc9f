// What can be done with the page that is read, beyond reading and writing it.
import History from "@lucide/svelte/icons/history";
import type { Action } from "../api/host";
import { t } from "../i18n";
import { historyUrl } from "../past/address";
import type { ShownPage } from "../wiki";
import type { App } from "./app.svelte";

export function pageActions(app: App, path: string, page: ShownPage): Action[] {
  const pair = page.revision < page.latest ? { from: page.revision, to: page.latest } : null;
  const history: Action = {
    id: "history",
    label: t("past.history"),
    key: "h",
    icon: History,
    run: async () => void (await app.router.navigate(historyUrl(path, pair))),
  };
  return [history];
}
