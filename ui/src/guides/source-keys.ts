// The keys that the sources assign to actions, parsed from the sources: every object with a `label` and a `key`. An
// unreadable key is an error, so that no key stays undocumented.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parse } from "svelte/compiler";

export interface SourceKey {
  /** Relative to `src/`. */
  file: string;
  /** The name of its text in the catalogues. */
  label: string;
  /** In the form that `Host.registerShortcut` takes. */
  chord: string;
}

/** Reads a file below `src/`; null if there is none. */
export type ReadSource = (file: string) => string | null;

/** A node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** Registers the views' additions to the frame: the keys are the views' own. */
const HANDS_ON = "app/view-state.svelte.ts";

/** All sources but tests and their helpers. */
export function sourceFiles(): string[] {
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.(?:ts|svelte)$/.test(file) && !/\.(?:test|d)\.ts$|^(?:testing|guides)\/|^api\/schema\.ts$/.test(file))
    .sort();
}

export const readSource: ReadSource = (file) => {
  try {
    return readFileSync(`src/${file}`, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

/**
 * Throws if a key or its label is not a literal, a constant or a member of one. If a member is chosen at run time, all
 * are returned.
 */
export function sourceKeys(file: string, read: ReadSource = readSource): SourceKey[] {
  if (file === HANDS_ON) return [];
  const source = Source.of(file, read);
  return source.nodes.flatMap((node) => {
    const { label, key } = membersOf(node);
    if (label === undefined || key === undefined) return [];
    const name = source.messageKey(label);
    return source.texts(key).map((chord) => ({ file, label: name, chord }));
  });
}

/** The keys that a file shows beside their actions, if it names them itself. */
export function shownKeys(file: string, read: ReadSource = readSource): string[] {
  const source = Source.of(file, read);
  return source.nodes.flatMap((node) => {
    const { keys } = membersOf(node);
    const shown = keys ?? (node.type === "Attribute" && node["name"] === "keys" ? attributeValue(node) : undefined);
    return shown === undefined ? [] : source.textsIfKnown(shown);
  });
}

class Source {
  private constructor(
    private readonly file: string,
    private readonly read: ReadSource,
    readonly nodes: readonly Node[],
  ) {}

  static of(file: string, read: ReadSource): Source {
    const text = read(file);
    if (text === null) throw new Error(`${file}: there is no such file`);
    // A file without keys need not be parsed.
    if (!/\bkeys?\b|_KEY\b/i.test(text)) return new Source(file, read, []);
    const component = file.endsWith(".svelte") ? text : `<script lang="ts">${text}</script>`;
    return new Source(file, read, [...nodesIn(parse(component, { modern: true }))]);
  }

  /** The possible texts of an expression. */
  texts(node: Node): string[] {
    const texts = this.textsIfKnown(node);
    if (texts.length === 0) throw new Error(`${this.file}: a key is no text, nor a constant`);
    return texts;
  }

  /** Empty if unknown. */
  textsIfKnown(node: Node): string[] {
    const texts = this.#valuesOf(node).map(({ type, value, data }) => (type === "Literal" ? value : type === "Text" ? data : null));
    return texts.every((text) => typeof text === "string") ? texts : [];
  }

  /** The name of the text that an expression shows. */
  messageKey(node: Node): string {
    const [call, ...others] = this.#valuesOf(node);
    const [given] = call?.type === "CallExpression" && isTranslation(call["callee"]) ? nodeList(call["arguments"]) : [];
    const [name] = given === undefined || others.length > 0 ? [] : this.textsIfKnown(given);
    if (name === undefined) throw new Error(`${this.file}: the label of a key is no text of the catalogues`);
    return name;
  }

  /** Resolves names to their values; empty if those are not literals. */
  #valuesOf(node: Node | undefined): Node[] {
    switch (node?.type) {
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "ExpressionTag":
        return this.#valuesOf(nodeOf(node["expression"]));
      case "Identifier":
        return this.#valuesOf(this.#constant(String(node["name"])));
      case "MemberExpression": {
        const name = node["computed"] === true ? null : String(nodeOf(node["property"])?.["name"]);
        return this.#valuesOf(nodeOf(node["object"])).flatMap((owner) => {
          const members = membersOf(owner);
          const chosen = name === null ? Object.values(members) : [members[name]];
          return chosen.flatMap((member) => this.#valuesOf(member));
        });
      }
      case "CallExpression": {
        const isDerived = nodeOf(node["callee"])?.["name"] === "$derived";
        return isDerived ? this.#valuesOf(nodeList(node["arguments"])[0]) : [node];
      }
      case "ConditionalExpression": {
        // The guides describe the keyboards of Linux.
        const isOfMacs = nodeOf(nodeOf(node["test"])?.["callee"])?.["name"] === "isMac";
        return isOfMacs ? this.#valuesOf(nodeOf(node["alternate"])) : [];
      }
      default:
        return node === undefined ? [] : [node];
    }
  }

  #constant(name: string): Node | undefined {
    const declared = this.nodes.filter(({ type, id }) => type === "VariableDeclarator" && nodeOf(id)?.["name"] === name);
    if (declared.length > 0) return declared.length === 1 ? nodeOf(declared[0]?.["init"]) : undefined;
    return this.#imported(name);
  }

  #imported(name: string): Node | undefined {
    for (const { type, source, specifiers } of this.nodes) {
      if (type !== "ImportDeclaration") continue;
      const specifier = nodeList(specifiers).find(({ local }) => nodeOf(local)?.["name"] === name);
      const from = nodeOf(source)?.["value"];
      if (specifier === undefined || typeof from !== "string" || !from.startsWith(".")) continue;
      const file = posix.join(posix.dirname(this.file), `${from}.ts`);
      if (this.read(file) === null) return undefined;
      return Source.of(file, this.read).#constant(String(nodeOf(specifier["imported"])?.["name"]));
    }
    return undefined;
  }
}

/** The members of an object literal, by name; none of anything else. */
function membersOf(node: Node): Partial<Record<string, Node>> {
  if (node.type !== "ObjectExpression") return {};
  const named = nodeList(node["properties"]).flatMap(({ type, computed, key, value }) => {
    const name = nodeOf(key)?.["name"];
    const member = nodeOf(value);
    return type === "Property" && computed !== true && typeof name === "string" && member ? [[name, member] as const] : [];
  });
  return Object.fromEntries(named);
}

/** `t(…)` or `host.t(…)`. */
function isTranslation(callee: unknown): boolean {
  const node = nodeOf(callee);
  return node?.["name"] === "t" || nodeOf(node?.["property"])?.["name"] === "t";
}

function attributeValue({ value }: Node): Node | undefined {
  return Array.isArray(value) ? nodeList(value)[0] : nodeOf(value);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function nodeOf(value: unknown): Node | undefined {
  return isNode(value) ? value : undefined;
}

function nodeList(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesIn(one);
  } else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodesIn(child);
  }
}
