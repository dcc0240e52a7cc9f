// The hash records, as a view.
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import { HASHES_ADDRESS, parseHashesAddress } from "../api/addresses/hashes-address";
import { defineView, once } from "../view/definition";

export const loadHashes = once(() => import("."));

export const hashes = defineView({
  addresses: [HASHES_ADDRESS],
  title: "hashes.title",
  section: "hashes",
  parse: parseHashesAddress,
  command: { id: "go-hashes", label: "hashes.go", key: "Alt+3", address: HASHES_ADDRESS },
  activity: { icon: ShieldCheck, at: "start" },
  load: loadHashes,
});
