// The exports of the views' definitions, by file.
export const definitions = import.meta.glob<Record<string, unknown>>("../src/**/view.ts", { eager: true });
