// Lists: the component, and the rows that it shows.
export { default as List } from "./List.svelte";
export type { Column, RowAction, RowTarget } from "./columns";
export { PagedRows, type Part, type ReadPart, type Rows } from "./rows.svelte";
