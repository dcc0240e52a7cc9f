import { expect, it } from "vitest";
import { templatesOf, type TemplateSettings } from "./list";
import { templateFor } from "./templates";

const settings: TemplateSettings = {
  daily_path: "/daily/{{date:YYYY-MM-DD}}",
  daily_template: "/templates/day",
  folders: [
    { folder: "/team", template: "/templates/task" },
    { folder: "/team/meetings", template: "/templates/meeting" },
  ],
};

it.each([
  ["/daily/2026-11-29", "/templates/day"],
  ["/daily/plans", null],
  ["/team/a", "/templates/task"],
  ["/team/meetings/a/b", "/templates/meeting"],
  ["/team", null],
  ["/teamer/a", null],
  ["/templates/new", null],
])("the template for %s is %s", (path, template) => {
  expect(templateFor(settings, path, "en")).toBe(template);
});

it("templates are listed by title or name", () => {
  const page = (path: string, title: string | null, deleted = false) => ({ path, title, deleted });
  const pages = [page("/templates/b", null), page("/templates/a/c", "Zoo"), page("/templates/d", "Old", true), page("/templates", "Templates"), page("/other", "Other")];
  expect(templatesOf(pages, new Intl.Collator("en"))).toEqual([
    { path: "/templates/b", title: "b" },
    { path: "/templates/a/c", title: "Zoo" },
  ]);
});
