// The wiki as a whole, in the settings: export, import and backup.
export { default as Exchange } from "./Exchange.svelte";
