// The placeholders of a template: {{title}}, {{date}}, {{date:FORMAT}}, {{time}}, {{time:FORMAT}}, {{user}}, {{cursor}}.
import type { Locale } from "../i18n";
import { DAY_FORMAT, formatDate, TIME_FORMAT } from "./dates";

export interface TemplateFacts {
  title: string;
  /** The time for {{date}} and {{time}}: in a daily note, its day. */
  time: Date;
  user: string;
  locale: Locale;
}

export interface FilledText {
  text: string;
  /** The place of the first {{cursor}}; null if there is none. */
  cursor: number | null;
  /** Placeholders that do not exist. They stay in the text. */
  unknown: string[];
}

const PLACEHOLDER = /\{\{\s*([\p{L}\p{N}_-]+)(?::([^{}]*))?\s*\}\}/gu;
const CURSOR = "cursor";

export function fillTemplate(template: string, { title, time, user, locale }: TemplateFacts): FilledText {
  const unknown = new Set<string>();
  let cursor: number | null = null;
  let text = "";
  let end = 0;
  const valueOf = (name: string, format: string | undefined, whole: string): string => {
    if (name === "date") return formatDate(time, format ?? DAY_FORMAT, locale);
    if (name === "time") return formatDate(time, format ?? TIME_FORMAT, locale);
    if (format === undefined && name === "title") return title;
    if (format === undefined && name === "user") return user;
    unknown.add(whole);
    return whole;
  };
  for (const { 0: whole, 1: name = "", 2: format, index } of template.matchAll(PLACEHOLDER)) {
    text += template.slice(end, index);
    end = index + whole.length;
    if (name === CURSOR && format === undefined) cursor ??= text.length;
    else text += valueOf(name, format, whole);
  }
  return { text: text + template.slice(end), cursor, unknown: [...unknown] };
}
