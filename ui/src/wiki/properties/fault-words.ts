// The reason for which the fields above a text can't be read. The YAML parser of the server has English messages; the
// common ones have texts of the page's own.
import type { Translate } from "../../i18n";

const NAMED = /^“(.+)” occurs twice$/;
const CHARACTER = /^unexpected character: `(.)'/u;

/** Patterns of the parser's messages, the most special first. */
const FAULTS = [
  ["property.fault_colon", /mapping values are not allowed|illegal placement of ':'/],
  ["property.fault_tab", /\btabs?\b/],
  ["property.fault_escape", /escape|hexadecimal/],
  ["property.fault_quote", /quoted scalar, found unexpected/],
  ["property.fault_after_quote", /trailing content after double-quoted|did not find expected key/],
  ["property.fault_bracket", /flow (?:sequence|mapping)|misplaced bracket/],
  ["property.fault_anchor", /anchor/],
  ["property.fault_no_colon", /simple key expect/],
  ["property.fault_indent", /indent|'-' indicator|block sequence entries/],
  ["property.fault_second", /second document|document (?:start|end)|<document/],
] as const;

export function faultWords(reason: string, t: Translate): string {
  const name = NAMED.exec(reason)?.[1];
  if (name !== undefined) return t("property.fault_twice", { name });
  const character = CHARACTER.exec(reason)?.[1];
  if (character !== undefined) return t("property.fault_character", { character });
  const key = FAULTS.find(([, pattern]) => pattern.test(reason))?.[0];
  return key === undefined ? reason : t(key);
}
