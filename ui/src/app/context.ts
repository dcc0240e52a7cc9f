// Access to the application for the frame's own components. Views receive a `Host` instead.
import { createContext } from "svelte";
import type { App } from "./app.svelte";
import type { Pane } from "./pane.svelte";

export const [useApp, provideApp] = createContext<App>();

/** The pane that a view is in. */
export const [usePane, providePane] = createContext<Pane>();
