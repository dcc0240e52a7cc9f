// Templates of pages, and the daily note.
export { type Day, dayOf, dayOfPath, addDays, pathOfDay, timeOf } from "./dates";
export { initialText } from "./initial-text";
export type { FilledText } from "./placeholders";
export { isTemplate, type Template, templatesOf, type TemplateSettings } from "./list";
export { type Beginning, headingOf, TemplateBook } from "./templates";
