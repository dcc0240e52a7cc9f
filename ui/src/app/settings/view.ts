// The settings, as a view.
import Settings2 from "@lucide/svelte/icons/sliders-horizontal";
import type { Component } from "svelte";
import { defineView, once, type ViewProps } from "../../view/definition";

export const SETTINGS_ADDRESS = "/settings";

/** Its type is explicit: the view composes the app, which registers this definition. */
const loadSettings = once<{ default: Component<ViewProps<object>> }>(() => import("./SettingsView.svelte"));

export const settings = defineView({
  addresses: [SETTINGS_ADDRESS],
  title: "settings.title",
  section: "settings",
  command: { id: "go-settings", label: "settings.go", key: "Mod+,", address: SETTINGS_ADDRESS },
  activity: { icon: Settings2, at: "end" },
  load: loadSettings,
  component: (code) => code.default,
});
