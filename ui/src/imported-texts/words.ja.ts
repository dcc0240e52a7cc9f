// The words of imported texts that wait for a decision, in Japanese.
import type { CatalogueLike } from "../i18n/message";
import type { words as en } from "./words.en";

export const words: CatalogueLike<typeof en> = {
  "imported_texts.title": "取り込んだ本文",
  "imported_texts.about": "ここにあるのは、こちらと元のアプリの両方で変更されたページです。取り込みがページを上書きすることはありません。違いを見てから、取り込んだ本文をページの新しい版にするか、ページをそのまま残すかを選べます。",
  "imported_texts.count": { other: "{count} 件" },
  "imported_texts.loading": "取り込んだ本文を読み込み中…",
  "imported_texts.unread": "取り込んだ本文を読み込めませんでした",
  "imported_texts.none": "両方で変更されたページはありません",
  "imported_texts.gone": "その本文は、もう片付いています。",
  "imported_texts.all": "取り込んだすべての本文",
  "imported_texts.from": "{time}、「{source}」から取り込み",
  "imported_texts.difference": "ページと取り込んだ本文の違い",
  "imported_texts.equal": "本文はページと同じです。",
  "imported_texts.not_compared": "本文を比べられませんでした",
  "imported_texts.take_over": "この本文にする",
  "imported_texts.taken": "「{path}」を取り込んだ本文にしました",
  "imported_texts.open_page": "ページを開く",
  "imported_texts.keep": "ページを残す",
  "imported_texts.kept": "「{path}」をそのまま残しました",
  "imported_texts.changed_meanwhile": "その間にページが変更されました。違いをもう一度ご確認ください。",
};
