// The words of imported texts that wait for a decision, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "imported_texts.title": "Imported texts",
  "imported_texts.about": "These pages were changed here, and their notes in the other app. An import never overwrites them. Look at the difference, then take the imported text over as a new revision, or keep the page as it is.",
  "imported_texts.count": { one: "{count} text", other: "{count} texts" },
  "imported_texts.loading": "Reading the imported texts…",
  "imported_texts.unread": "The imported texts couldn’t be read",
  "imported_texts.none": "No page was changed on both sides",
  "imported_texts.gone": "That text is settled.",
  "imported_texts.all": "All imported texts",
  "imported_texts.from": "Imported on {time} from {source}",
  "imported_texts.difference": "From the page to the imported text",
  "imported_texts.equal": "The text is the same as the page’s.",
  "imported_texts.not_compared": "The text couldn’t be compared",
  "imported_texts.take_over": "Take over",
  "imported_texts.taken": "{path} has the imported text",
  "imported_texts.open_page": "Open page",
  "imported_texts.keep": "Keep the page",
  "imported_texts.kept": "{path} stays as it is",
  "imported_texts.changed_meanwhile": "The page has changed meanwhile. Look at the difference again.",
} as const satisfies Catalogue;

type Words = typeof words;

declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
