// Correctness rules, and the walls of the house: which folder may import which (see README.md).
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

/** What each folder must not import; `app/` composes everything and may import all. */
const walls = {
  api: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "widgets", "markdown"],
  i18n: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "widgets", "markdown"],
  keys: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "widgets", "markdown", "api", "i18n"],
  widgets: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "markdown"],
  markdown: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "widgets"],
  // What the two rooms of the wiki share.
  editing: ["app", "folders", "hashes", "wiki", "editor", "past"],
  assets: ["app", "folders", "hashes", "wiki", "editor", "past"],
  pages: ["app", "folders", "hashes", "wiki", "editor", "past", "editing"],
  exchange: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "cache"],
  cache: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "exchange"],
  // What the parts that have work done share.
  jobs: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "exchange", "cache"],
  // What the hash records and the folders of pictures share.
  "hash-state": ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "exchange", "cache"],
  // What the settings, the folders of pictures and the editor share.
  vision: ["app", "folders", "hashes", "wiki", "editor", "past", "editing", "exchange", "cache", "assets", "pages"],
  search: ["app", "folders", "hashes", "wiki", "editor", "past", "exchange", "cache", "pages"],
  hashes: ["app", "folders", "wiki", "editor", "past", "editing", "exchange", "cache", "assets", "pages"],
  folders: ["app", "hashes", "wiki", "editor", "past"],
  wiki: ["app", "folders", "hashes", "editor", "past"],
  editor: ["app", "folders", "hashes", "wiki", "past"],
  past: ["app", "folders", "hashes", "wiki", "editor"],
};

const wallRules = Object.entries(walls).map(([folder, others]) => ({
  files: [`src/${folder}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            group: others.flatMap((other) => [`../${other}`, `../${other}/**`, `**/../${other}`, `**/../${other}/**`]),
            message: `${folder}/ must not import this folder: app/ composes them.`,
          },
        ],
      },
    ],
  },
}));

export default defineConfig(
  { ignores: ["dist/", "node_modules/", ".node/", "src/api/schema.ts"] },
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: {
        projectService: {
          allowDefaultProject: ["eslint.config.js", "svelte.config.js", "vite.config.ts", "build/*.ts"],
          // The build has a few files more than the eight that are allowed unasked; they are small.
          maximumDefaultProjectFileMatchCount_THIS_WILL_SLOW_DOWN_LINTING: 16,
        },
        extraFileExtensions: [".svelte"],
      },
    },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "no-eval": "error",
      "no-restricted-properties": ["error", { property: "isComposing", message: "WebKitGTK says it otherwise: ask isComposing() of keys/." }],
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // The router intercepts plain links; there is no SvelteKit here.
      "svelte/no-navigation-without-resolve": "off",
      // A plain Map, Set or URL is chosen where nothing on the screen depends on its contents.
      "svelte/prefer-svelte-reactivity": "off",
      // ESLint does not know the types of a component's props; svelte-check does, and checks them.
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: ["src/**/*.test.ts"],
    // A mock is named to be asked about its calls, never called without its object.
    rules: { "@typescript-eslint/unbound-method": "off" },
  },
  {
    files: ["*.js", "*.ts", "build/**"],
    languageOptions: { globals: { ...globals.node } },
  },
  { files: ["src/keys/ime.ts"], rules: { "no-restricted-properties": "off" } },
  ...wallRules,
);
