// The orphaned assets, as a view.
import { t } from "../i18n";
import { defineView, once } from "../view/definition";

export const ORPHANED_ASSETS_ADDRESS = "/settings/files";

const load = once(() => import("./OrphanedAssetsView.svelte"));

export const orphanedAssets = defineView({
  addresses: [ORPHANED_ASSETS_ADDRESS],
  title: "orphaned_assets.title",
  section: "settings",
  crumbs: () => [{ label: t("settings.title"), href: "/settings" }, { label: t("orphaned_assets.title") }],
  command: { id: "go-orphaned-assets", label: "orphaned_assets.show", key: "Mod+Alt+,", address: ORPHANED_ASSETS_ADDRESS },
  load,
  component: (code) => code.default,
});
