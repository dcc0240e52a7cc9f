// One place for the compiler's options, read by Vite, svelte-check and ESLint alike: they all find the types of the API.
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { writeSchema } from "./build/schema.js";

await writeSchema();

/** @type {import("@sveltejs/vite-plugin-svelte").SvelteConfig} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
};
