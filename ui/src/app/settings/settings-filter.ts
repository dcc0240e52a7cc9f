// The search of the settings: hides those that do not contain what is searched for, by their texts on the screen.
import type { Attachment } from "svelte/attachments";
import { fold } from "../../i18n/fold";

/**
 * Shows only the settings (`data-setting`) that contain all words, in their own texts or in the title of their section
 * (`data-settings`), and only the sections that have some. Reports the number of settings that are shown.
 */
export function filterSettings(query: () => string, onfiltered: (count: number) => void): Attachment<HTMLElement> {
  return (root) => {
    const words = fold(query()).split(/\s+/u).filter(Boolean);
    const filter = () => {
      const counts = [...root.querySelectorAll<HTMLElement>("[data-settings]")].map((section) => filterSection(section, words));
      onfiltered(counts.reduce((sum, count) => sum + count, 0));
    };
    filter();
    if (words.length === 0) return;
    // Some texts come later.
    const observer = new MutationObserver(filter);
    observer.observe(root, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  };
}

function filterSection(section: HTMLElement, words: readonly string[]): number {
  const title = fold(section.querySelector("h2")?.textContent ?? "");
  let count = 0;
  for (const setting of section.querySelectorAll<HTMLElement>("[data-setting]")) {
    const text = `${title} ${fold(setting.textContent)}`;
    setting.hidden = !words.every((word) => text.includes(word));
    if (!setting.hidden) count += 1;
  }
  section.hidden = count === 0;
  return count;
}
