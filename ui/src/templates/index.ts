// Templates of pages, and the daily note.
export { type Day, dayOf, dayOfPath, addDays, pathOfDay, timeOf } from "./dates";
export { initialText } from "./initial-text";
export type { FilledText } from "./placeholders";
export { type Beginning, headingOf, isTemplate, type Template, TemplateBook, TEMPLATES_PATH, templatesOf, type TemplateSettings } from "./templates";
