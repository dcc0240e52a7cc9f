// A filter in words: each of its parts, and the filter without it.
import { PICTURE_FORMATS } from "virtual:picture-formats";
import { formatDay, t } from "../../i18n";
import type { Filter, PictureType, RatingFilter } from "./filter";

export interface FilterPart {
  id: string;
  words: string;
  without: Filter;
}

export function ratingFilterWords(rating: RatingFilter): string {
  if (rating === "unrated") return t("marks.unrated");
  return rating === "rejected" ? t("marks.rejected") : t("filter.stars", { count: Number(rating) });
}

export function typeName(type: PictureType): string {
  if (type === "video") return t("filter.type_video");
  return PICTURE_FORMATS.find((format) => format.filter === type)?.label ?? type;
}

/** Returns all parts except the text, which is shown in its field. */
export function filterParts(filter: Filter): FilterPart[] {
  const { rating, types, from, to, tag, caption, hasCaption } = filter;
  const parts: FilterPart[] = [];
  if (rating !== null) parts.push({ id: "rating", words: ratingFilterWords(rating), without: { ...filter, rating: null } });
  for (const type of types) parts.push({ id: type, words: typeName(type), without: { ...filter, types: types.filter((one) => one !== type) } });
  if (from !== null) parts.push({ id: "from", words: t("filter.since", { day: formatDay(from) }), without: { ...filter, from: null } });
  if (to !== null) parts.push({ id: "to", words: t("filter.until", { day: formatDay(to) }), without: { ...filter, to: null } });
  if (tag !== null) parts.push({ id: "tag", words: t("filter.tagged", { tag }), without: { ...filter, tag: null } });
  if (caption !== null) parts.push({ id: "caption", words: t("filter.captioned", { text: caption }), without: { ...filter, caption: null } });
  if (hasCaption !== null) {
    parts.push({ id: "has_caption", words: t(hasCaption ? "filter.with_caption" : "filter.without_caption"), without: { ...filter, hasCaption: null } });
  }
  return parts;
}
