// All pages, as a view.
import { defineView, once } from "../view/definition";
import { PAGES_ADDRESS, parsePagesAddress } from "./address";

export const loadPages = once(() => import("./PageListView.svelte"));

export const pages = defineView({
  addresses: [PAGES_ADDRESS],
  title: "list.title",
  section: "wiki",
  parse: parsePagesAddress,
  command: { id: "go-pages", label: "list.show", key: "l", address: PAGES_ADDRESS },
  load: loadPages,
  component: (code) => code.default,
});
