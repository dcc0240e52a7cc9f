// The texts of the page and the formats of its language.
export type { Locale, MessageKey } from "./catalogue";
export { errorMessage } from "./error-message";
export * from "./format";
export { isMe, setMe } from "./me.svelte";
export { loadLocale, locale, resolveLocale, sentenceGap, sentences, setLocale, systemLocale, t, type Translate } from "./i18n.svelte";
