// Correctness rules, and the allowed imports between folders (see README.md).
import { readdirSync } from "node:fs";
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import { testTitle } from "./build/test-title.js";
import svelteConfig from "./svelte.config.js";

/** The layers below all features. */
const BASE = ["api", "i18n", "keys", "markdown", "styles", "view", "widgets"];

/** Code that several features share, each with the shared folders that it may import. */
const SHARED = {
  albums: ["editing", "hash-state", "jobs", "search-results"],
  assets: ["editing", "list"],
  difference: [],
  editing: [],
  "hash-state": [],
  jobs: [],
  list: [],
  "search-results": ["editing"],
  templates: [],
  vision: ["jobs"],
  zoom: [],
};

/** All other folders are features. They never import each other: `app/` composes them. */
const OTHERS = ["app", "testing", ...BASE, ...Object.keys(SHARED)];
const FEATURES = readdirSync(new URL("src", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !OTHERS.includes(entry.name))
  .map(({ name }) => name);

/** The imports that each folder is allowed besides its own. `app/` composes everything and may import all. */
const allowed = {
  api: ["i18n"],
  i18n: ["api"],
  keys: [],
  markdown: ["api", "i18n"],
  view: ["api", "i18n"],
  widgets: ["i18n", "keys"],
  ...Object.fromEntries(Object.entries(SHARED).map(([folder, others]) => [folder, [...BASE, ...others]])),
  ...Object.fromEntries(FEATURES.map((folder) => [folder, [...BASE, ...Object.keys(SHARED)]])),
};

/** The deepest nesting of folders within one of the above. */
const DEPTH = 4;

const wallRules = Object.entries(allowed).flatMap(([folder, others]) => {
  const forbidden = ["app", ...BASE, ...Object.keys(SHARED), ...FEATURES].filter((other) => other !== folder && !others.includes(other));
  return Array.from({ length: DEPTH }, (_, depth) => {
    const up = "../".repeat(depth + 1);
    const group = forbidden.flatMap((other) => [`${up}${other}`, `${up}${other}/**`]);
    return {
      files: [`src/${folder}/${"*/".repeat(depth)}*`],
      rules: {
        "no-restricted-imports": ["error", { patterns: [{ group, message: `${folder}/ must not import this folder: app/ composes them.` }] }],
      },
    };
  });
});

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
          allowDefaultProject: ["eslint.config.js", "svelte.config.js", "vite.config.ts", "build/*.js", "build/*.ts"],
          // The build has a few more files than the default limit of eight; they are small.
          maximumDefaultProjectFileMatchCount_THIS_WILL_SLOW_DOWN_LINTING: 24,
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
      // The words of each folder extend the type of the catalogue.
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
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
      // Plain Maps, Sets and URLs are used if nothing on the screen depends on their contents.
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
    files: ["**/*.test.ts"],
    plugins: { fumikura: { rules: { "test-title": testTitle } } },
    rules: { "fumikura/test-title": "error" },
  },
  {
    files: ["src/**/*.test.ts"],
    // Mocks are only referenced to inspect their calls.
    rules: { "@typescript-eslint/unbound-method": "off" },
  },
  {
    files: ["*.js", "*.ts", "build/**"],
    languageOptions: { globals: { ...globals.node } },
  },
  { files: ["src/keys/ime.ts"], rules: { "no-restricted-properties": "off" } },
  ...wallRules,
);
