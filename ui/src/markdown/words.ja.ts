// The words of callouts and galleries in pages, in Japanese.
import type { CatalogueLike } from "../i18n/message";
import type { words as en } from "./words.en";

export const words: CatalogueLike<typeof en> = {
  "callout.note": "メモ",
  "callout.abstract": "要約",
  "callout.info": "情報",
  "callout.todo": "やること",
  "callout.tip": "ヒント",
  "callout.important": "重要",
  "callout.success": "成功",
  "callout.question": "質問",
  "callout.warning": "警告",
  "callout.caution": "注意",
  "callout.failure": "失敗",
  "callout.danger": "危険",
  "callout.bug": "不具合",
  "callout.example": "例",
  "callout.quote": "引用",

  "gallery.no_folder": "このギャラリーにはフォルダーの指定がありません。「folder: /home/me/Pictures/2024」のような行を書いてください。",
  "gallery.no_option": "ギャラリーに「{name}」というオプションはありません。使えるオプション: folder、sort、order、filter、rating、tag、limit、rows、size",
  "gallery.bad_value": "「{value}」は、ギャラリーのオプション「{name}」に使えません。",
  "gallery.not_open": "「{folder}」は、開いているフォルダーの中にありません。「画像」で、そのフォルダーかその上のフォルダーを開いてください。",
  "gallery.failed": "「{folder}」を表示できませんでした。{reason}",
  "gallery.empty": "画像がありません",
  "gallery.count": { other: "画像 {count} 枚" },
  "gallery.part": "画像 {total} 枚のうち {shown} 枚",

  "pages.no_option": "ページ一覧に「{name}」という指定はありません。使える指定: {options}",
  "pages.bad_value": "ページ一覧の「{name}」に「{value}」は指定できません。使える指定: {options}",
  "pages.failed": "ページを一覧できませんでした。{reason}",
  "pages.none": "ページがありません",
  "pages.part": "{total} ページ中 {shown} ページ",
  "pages.title": "ページ",
  "pages.path": "パス",
  "pages.updated": "更新日時",
  "pages.author": "更新者",
  "pages.tags": "タグ",
  "pages.top": "トップページ",
};
