// The templates among all pages: those under /templates/.
import type { Settings } from "../api/backend";
import { nameOfPage } from "../markdown/links/page-path";

export type TemplateSettings = Settings["templates"];

const TEMPLATES_PATH = "/templates";

export interface Template {
  path: string;
  title: string;
}

interface Listed {
  path: string;
  title?: string | null | undefined;
  deleted: boolean;
}

/** The templates among all pages, by title. */
export function templatesOf(pages: readonly Listed[], collator: Intl.Collator): Template[] {
  return pages
    .filter(({ path, deleted }) => !deleted && isTemplate(path))
    .map(({ path, title }) => ({ path, title: title ?? nameOfPage(path) }))
    .sort((a, b) => collator.compare(a.title, b.title));
}

export function isTemplate(path: string): boolean {
  return path.startsWith(`${TEMPLATES_PATH}/`);
}
