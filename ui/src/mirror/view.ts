// The files of the mirror that were edited outside, as a view.
import { parseMirrorAddress } from "../api/addresses/mirror-address";
import { defineView, once } from "../view/definition";

export const loadMirror = once(() => import("./MirrorView.svelte"));

export const mirror = defineView({
  addresses: ["/mirror"],
  title: "mirror.title",
  section: "settings",
  parse: parseMirrorAddress,
  load: loadMirror,
  component: (code) => code.default,
});
