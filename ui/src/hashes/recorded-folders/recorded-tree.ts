// The tree of recorded folders, with the states of all files below each.
import type { HashState, RecordedFolder } from "../../api/hashes";
import { BY_SEVERITY } from "../../hash-state";

export interface RecordedBranch {
  /** The name; for the topmost folders, the path. */
  name: string;
  /** The absolute path. */
  path: string;
  /** The number of files in each state, here and below; `unknown` for those that were never verified. */
  states: Readonly<Record<string, number>>;
  children: readonly RecordedBranch[];
}

interface FolderNode {
  name: string;
  path: string;
  states: Record<string, number>;
  /** True if the folder contains recorded files itself. */
  isRecorded: boolean;
  children: Map<string, FolderNode>;
}

/** Joins folders without files of their own that have a single subfolder. */
export function recordedTree(folders: readonly Pick<RecordedFolder, "path" | "states">[]): RecordedBranch[] {
  const top = newNode("", "");
  for (const { path, states } of folders) {
    let node = top;
    const passed = [top];
    for (const name of path.split("/").filter(Boolean)) {
      const child: FolderNode = node.children.get(name) ?? newNode(name, `${node.path}/${name}`);
      node.children.set(name, child);
      passed.push((node = child));
    }
    node.isRecorded = true;
    for (const { states: sums } of passed) {
      for (const [state, count] of Object.entries(states)) sums[state] = (sums[state] ?? 0) + count;
    }
  }
  if (top.isRecorded) return [{ ...branchOf(top), name: "/", path: "/" }];
  return [...top.children.values()].map((node) => {
    const branch = branchOf(node);
    return { ...branch, name: branch.path };
  });
}

function newNode(name: string, path: string): FolderNode {
  return { name, path, states: {}, isRecorded: false, children: new Map() };
}

function branchOf(node: FolderNode): RecordedBranch {
  const [only, ...others] = [...node.children.values()];
  if (!node.isRecorded && only !== undefined && others.length === 0) {
    const below = branchOf(only);
    return { ...below, name: `${node.name}/${below.name}` };
  }
  const { name, path, states } = node;
  return { name, path, states, children: [...node.children.values()].map(branchOf) };
}

/** The most severe state of files; null if some were never verified, and the others are as recorded. */
export function worstState(states: Readonly<Record<string, number>>): HashState | null {
  const worst = BY_SEVERITY.find((state) => state !== "ok" && (states[state] ?? 0) > 0);
  return worst ?? ((states["unknown"] ?? 0) > 0 ? null : "ok");
}
