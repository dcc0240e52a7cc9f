// The cache, as a view.
import Gauge from "@lucide/svelte/icons/gauge";
import { CACHE_ADDRESS } from "../api/addresses/cache-address";
import { defineView, once } from "../view/definition";

export const loadCache = once(() => import("."));

export const cache = defineView({
  addresses: [CACHE_ADDRESS],
  title: "cache.title",
  section: "cache",
  command: { id: "go-cache", label: "cache.go", key: "Alt+4", address: CACHE_ADDRESS },
  activity: { icon: Gauge, at: "start" },
  load: loadCache,
});
