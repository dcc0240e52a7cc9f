// The crumbs of an address, until the view sets better ones.
import type { Crumb } from "../api/host";
import { t } from "../i18n";
import { lineageOf, nameOfPage, wikiUrl } from "../markdown/page-path";
import { type Route, SETTINGS_ADDRESS } from "./routes";

export function crumbsOf(route: Route): Crumb[] {
  switch (route.room) {
    case "wiki":
    case "history":
    case "edit":
      return pageCrumbs(route.path);
    case "pictures":
      return [{ label: t("rail.pictures") }];
    case "hashes":
      return [{ label: t("rail.hashes") }];
    case "cache":
      return [{ label: t("rail.cache") }];
    case "pages":
      return [{ label: t("list.title") }];
    case "search":
      return [{ label: t("search.title") }];
    case "bin":
    case "deleted":
      return [{ label: t("past.bin") }];
    case "settings":
      if (route.part === "general") return [{ label: t("settings.title") }];
      return [{ label: t("settings.title"), href: SETTINGS_ADDRESS }, { label: t("lost.title") }];
    case "unknown":
      return [{ label: t("state.not_found_crumb") }];
  }
}

function pageCrumbs(path: string): Crumb[] {
  if (path === "/") return [{ label: t("tree.top") }];
  const above = lineageOf(path).slice(1, -1);
  return [...above.map((page) => ({ label: nameOfPage(page), href: wikiUrl(page) })), { label: nameOfPage(path) }];
}
