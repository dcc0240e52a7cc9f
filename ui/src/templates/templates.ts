// The template of a new page, and its text with the placeholders filled in.
import type { Backend } from "../api/backend";
import type { Locale } from "../i18n";
import { initialText } from "./initial-text";
import { lineageOf, nameOfPage } from "../markdown/links/page-path";
import { dayOfPath, timeOf } from "./dates";
import { isTemplate, type Template, type TemplateSettings } from "./list";
import { type FilledText, fillTemplate } from "./placeholders";

/** The template that the settings name for a new page: that of the daily note, or of the deepest folder above it. */
export function templateFor({ daily_path, daily_template, folders }: TemplateSettings, path: string, locale: Locale): string | null {
  if (isTemplate(path)) return null;
  if (daily_template !== null && dayOfPath(daily_path, path, locale) !== null) return daily_template;
  for (const above of lineageOf(path).slice(0, -1).reverse()) {
    const match = folders.find(({ folder }) => folder === above);
    if (match !== undefined) return match.template;
  }
  return null;
}

/** The beginning of a new page. */
export interface Beginning extends FilledText {
  /** What kept the template from being read; the page then begins without it. */
  problem: { template: string; error: unknown } | null;
}

/** A page that begins without a template. */
export function headingOf(path: string): Beginning {
  return { text: initialText(path), cursor: null, unknown: [], problem: null };
}

/** The source of templates for the page at one path. */
export interface TemplateParts {
  backend: Pick<Backend, "pages">;
  path: string;
  settings: TemplateSettings;
  user: string;
  locale: Locale;
  /** The templates there are. */
  list: () => readonly Template[];
}

export class TemplateBook {
  readonly list: () => readonly Template[];

  constructor(private readonly parts: TemplateParts) {
    this.list = parts.list;
  }

  /** The beginning of the page: the chosen template, or the one that the settings name for its path; else a heading. */
  async begin(chosen: string | null): Promise<Beginning> {
    const { path, settings, locale } = this.parts;
    const template = chosen ?? templateFor(settings, path, locale);
    if (template === null) return headingOf(path);
    try {
      return { ...(await this.fill(template)), problem: null };
    } catch (error) {
      return { ...headingOf(path), problem: { template, error } };
    }
  }

  /** The text of a template, with its placeholders filled in for the page. */
  async fill(template: string): Promise<FilledText> {
    const { backend, path, settings, user, locale } = this.parts;
    const { id } = await backend.pages.resolve(template);
    const { text } = await backend.pages.source(id);
    const day = dayOfPath(settings.daily_path, path, locale);
    const now = new Date();
    const time = day === null ? now : timeOf(day);
    // The note of another day states the present time of day.
    time.setHours(now.getHours(), now.getMinutes(), now.getSeconds());
    return fillTemplate(text.replaceAll("\r\n", "\n"), { title: nameOfPage(path), time, user, locale });
  }
}
