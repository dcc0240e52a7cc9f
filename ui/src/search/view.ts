// The full-text search, as a view.
import { parseSearchAddress, SEARCH_ADDRESS } from "../api/search";
import { defineView, once } from "../view/definition";

export const loadSearch = once(() => import("."));

export const search = defineView({
  addresses: [SEARCH_ADDRESS],
  title: "search.title",
  section: "wiki",
  parse: parseSearchAddress,
  command: { id: "search", label: "search.go", key: "Mod+Shift+f", address: SEARCH_ADDRESS },
  load: loadSearch,
  component: ({ SearchView }) => SearchView,
});
