// The editor view, in which pages are written.
export { default as EditView } from "./EditView.svelte";
export { TemplateBook } from "../templates";
