// Writes `src/api/schema.ts`, the types of the OpenAPI document. Every tool that reads them loads svelte.config.js, which calls this first.
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const DOCUMENT = new URL("../openapi.json", import.meta.url);
const TYPES = fileURLToPath(new URL("../src/api/schema.ts", import.meta.url));

/** Writes the types, unless they are newer than the document. */
export async function writeSchema() {
  if (existsSync(TYPES) && statSync(TYPES).mtimeMs >= statSync(DOCUMENT).mtimeMs) return;
  // A field with a default value is optional.
  const types = await openapiTS(readFileSync(DOCUMENT, "utf8"), { defaultNonNullable: false });
  // Several processes may write at once.
  const written = `${TYPES}.${process.pid}`;
  writeFileSync(written, `// Generated from openapi.json (build/schema.js).\n${astToString(types)}`);
  renameSync(written, TYPES);
}
