// The spell checker of the desktop window: it follows the settings, and the language of the text that is written. A
// browser has its own.
import type { DesktopApi, Settings } from "../../api/backend";

export class SpellChecker {
  /** The languages in use, which have a dictionary; null where the browser decides. */
  dictionaries = $state.raw<readonly string[] | null>(null);
  /** The last request, so that equal ones are not repeated. */
  #set = "";

  constructor(private readonly desktop: Pick<DesktopApi, "setSpelling"> | null) {}

  /** A page's language precedes those of the settings. */
  async follow({ enabled, languages }: Settings["spelling"], textLanguage: string | null): Promise<void> {
    if (this.desktop === null) return;
    const spelling = { enabled, languages: textLanguage === null ? [...languages] : [textLanguage] };
    const wanted = JSON.stringify(spelling);
    if (wanted === this.#set) return;
    this.#set = wanted;
    const dictionaries = await this.desktop.setSpelling(spelling);
    if (this.#set === wanted) this.dictionaries = dictionaries;
  }
}
