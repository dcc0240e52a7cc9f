// The imported texts whose pages were changed here as well, as a view.
import { parseImportedTextsAddress } from "../api/addresses/imported-texts-address";
import { defineView, once } from "../view/definition";

export const loadImportedTexts = once(() => import("./ImportedTextsView.svelte"));

export const importedTexts = defineView({
  addresses: ["/imported-texts"],
  title: "imported_texts.title",
  section: "settings",
  parse: parseImportedTextsAddress,
  load: loadImportedTexts,
  component: (code) => code.default,
});
