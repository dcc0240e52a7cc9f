// The tooltip of an entry.
import type { FolderEntry } from "../../api/backend";
import type { HashState } from "../../api/hashes";
import { formatBytes, formatDateTime, t } from "../../i18n";
import { companionsOf } from "../entries/companions";
import { displayName } from "../entries/display-name";
import { ratingOf, ratingWords, tagsOf, UNRATED } from "../marks/marks";

/** True if only a part of the picture is shown. Nothing is shown of one that can't be decoded. */
export function isPartial({ is_incomplete, state }: FolderEntry): boolean {
  return is_incomplete === true && state !== "undecodable";
}

/** Returns the name, the size and the time, the marks, and what is wrong, a line each; of a folder the number of pictures inside. */
export function aboutEntry(entry: FolderEntry, state: HashState | null, inside?: number): string {
  const name = displayName(entry.name);
  if (entry.kind === "folder") return inside === undefined ? name : `${name}\n${t("folders.inside", { count: inside })}`;
  const rating = ratingOf(entry);
  const marks = [...(rating === UNRATED ? [] : [ratingWords(rating)]), ...tagsOf(entry)].join(" · ");
  const recorded = state === null ? "" : t(`hash_state.${state}`);
  const others = companionsOf(entry).map((one) => displayName(one.name)).join(", ");
  const withFiles = others === "" ? "" : t("folders.with_files", { names: others });
  return [name, withFiles, `${formatBytes(entry.size)} · ${formatDateTime(entry.mtime)}`, marks, isPartial(entry) ? t("folders.cut_off") : "", recorded].filter(Boolean).join("\n");
}
