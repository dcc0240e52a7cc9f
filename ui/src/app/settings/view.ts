// The settings, as a view.
import Settings2 from "@lucide/svelte/icons/sliders-horizontal";
import { defineView, once } from "../../view/definition";

export const SETTINGS_ADDRESS = "/settings";

const loadSettings = once(() => import("./SettingsView.svelte"));

export const settings = defineView({
  addresses: [SETTINGS_ADDRESS],
  title: "settings.title",
  section: "settings",
  command: { id: "go-settings", label: "settings.go", key: "Mod+,", address: SETTINGS_ADDRESS },
  activity: { icon: Settings2, at: "end" },
  load: loadSettings,
  component: (code) => code.default,
});
