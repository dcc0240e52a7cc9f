// Loads the properties above the text with the first page that has some.
import type { Component } from "svelte";
import type { PropertiesProps } from "./property";

let loaded: Component<PropertiesProps> | null = null;

/** The component, once it has been loaded. */
export function propertiesComponent(): Component<PropertiesProps> | null {
  return loaded;
}

/** Fetches the component; null if nothing is to be waited for. */
export function loadProperties(isNeeded: boolean): Promise<void> | null {
  if (!isNeeded || loaded !== null) return null;
  return import("./Properties.svelte").then(
    (module) => void (loaded = module.default),
    // The page is shown without its properties, and the next page requests them again.
    () => {},
  );
}
