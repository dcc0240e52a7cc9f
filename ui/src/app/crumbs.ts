// Where an address is, as long as the room has not said it better.
import type { Crumb } from "../api/host";
import { t } from "../i18n";
import { lineageOf, nameOfPage, wikiUrl } from "../markdown/page-path";
import type { Route } from "./routes";

export function crumbsOf(route: Route): Crumb[] {
  switch (route.room) {
    case "wiki":
    case "history":
    case "edit":
      return pageCrumbs(route.path);
    case "pictures":
      return [{ label: t("rail.pictures") }];
    case "settings":
      return [{ label: t("settings.title") }];
    case "unknown":
      return [];
  }
}

function pageCrumbs(path: string): Crumb[] {
  if (path === "/") return [{ label: t("tree.top") }];
  const above = lineageOf(path).slice(1, -1);
  return [...above.map((page) => ({ label: nameOfPage(page), href: wikiUrl(page) })), { label: nameOfPage(path) }];
}
