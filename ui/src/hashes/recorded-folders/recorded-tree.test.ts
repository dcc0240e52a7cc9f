import { expect, it } from "vitest";
import { type RecordedBranch, recordedTree, worstState } from "./recorded-tree";

const drawn = (branches: readonly RecordedBranch[], indent = ""): string[] => branches.flatMap(({ name, states, children }) => [`${indent}${name} ${JSON.stringify(states)}`, ...drawn(children, `${indent}  `)]);

it("folders are summed, and single ones joined", () => {
  const tree = recordedTree([
    { path: "/home/aya/写真", states: { ok: 2 } },
    { path: "/home/aya/写真/2026/05", states: { ok: 1, corrupt: 1 } },
    { path: "/home/aya/写真/2026/06", states: { unknown: 3 } },
    { path: "/media/disk", states: { root_away: 1 } },
  ]);
  expect(drawn(tree)).toEqual([
    '/home/aya/写真 {"ok":3,"corrupt":1,"unknown":3}',
    '  2026 {"ok":1,"corrupt":1,"unknown":3}',
    '    05 {"ok":1,"corrupt":1}',
    '    06 {"unknown":3}',
    '/media/disk {"root_away":1}',
  ]);
  expect(tree[0]?.children[0]?.path).toBe("/home/aya/写真/2026");
});

it("the disk’s top folder can be recorded", () => {
  expect(drawn(recordedTree([{ path: "/", states: { ok: 1 } }, { path: "/a/b", states: { ok: 1 } }]))).toEqual(['/ {"ok":2}', '  a/b {"ok":1}']);
});

it.each([
  [{ ok: 3 }, "ok"],
  [{ ok: 3, unknown: 1 }, null],
  [{ ok: 3, unknown: 1, moved: 1 }, "moved"],
  [{ changed: 2, corrupt: 1, moved: 4 }, "corrupt"],
])("the worst state of %j is %s", (states, worst) => {
  expect(worstState(states)).toBe(worst);
});
