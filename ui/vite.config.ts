// Builds `dist/`, which the server answers under `/static/`. The frame's HTML is the server's, so there is no index.html.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import { budget } from "./build/budget.ts";
import { commands } from "./build/commands.ts";
import { compress } from "./build/compress.ts";
import { firstChunks } from "./build/first-chunks.ts";
import { fonts } from "./build/fonts.ts";
import { pictureFormats } from "./build/picture-formats.ts";
import { viewFiles } from "./build/view-files.ts";

export default defineConfig({
  base: "/static/",
  plugins: [svelte(), svelteTesting(), commands(), pictureFormats(), viewFiles(), fonts(), compress(), budget()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // WebKitGTK 2.40 and later, and every browser of the last three years.
    target: ["safari16.4", "chrome111", "firefox114"],
    sourcemap: false,
    modulePreload: { polyfill: false },
    // A data: address for a script's asset would be refused by the page's policy, and hides what is shipped.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { app: "src/main.ts" },
      output: {
        codeSplitting: { groups: firstChunks() },
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        assetFileNames: (asset) => (asset.names.includes("frame.css") ? "app.css" : "assets/[name]-[hash][extname]"),
      },
    },
  },
  // The part that draws diagrams: no worker, but built by itself as one is, to be loaded by a document of its own.
  worker: { format: "es", rolldownOptions: { output: { entryFileNames: "chunks/diagrams/[name]-[hash].js", chunkFileNames: "chunks/diagrams/[name]-[hash].js" } } },
  test: {
    environment: "jsdom",
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    // Each file has a document of its own, and the thread loads the library that makes them only once: half the processor
    // time of a process for each file.
    pool: "vmThreads",
    // Threads never free the documents of earlier files, so they are replaced.
    vmMemoryLimit: "1.5GB",
    maxWorkers: "100%",
    // Bounds of waits that end with what they wait for: a busy machine can take seconds for a click.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The only styles that a test depends on.
    css: { include: [/widgets\/Button\.svelte/] },
  },
});
