// How the frame's own components reach the application. Rooms get a `Host` instead.
import { createContext } from "svelte";
import type { App } from "./app.svelte";

export const [useApp, provideApp] = createContext<App>();
