// Access to the application for the frame's own components. Views receive a `Host` instead.
import { createContext } from "svelte";
import type { App } from "./app.svelte";

export const [useApp, provideApp] = createContext<App>();
