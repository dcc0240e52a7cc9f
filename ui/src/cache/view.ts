// The cache, as a view, which belongs to the settings.
import { CACHE_ADDRESS } from "../api/addresses/cache-address";
import { t } from "../i18n";
import { defineView, once } from "../view/definition";

export const loadCache = once(() => import("."));

export const cache = defineView({
  addresses: [CACHE_ADDRESS],
  title: "cache.title",
  section: "settings",
  crumbs: () => [{ label: t("settings.title"), href: "/settings#cache" }, { label: t("cache.title") }],
  command: { id: "go-cache", label: "cache.go", key: "Alt+4", address: CACHE_ADDRESS },
  load: loadCache,
});
