// The words of galleries in pages, in Japanese.
import type { CatalogueLike } from "../i18n/message";
import type { words as en } from "./words.en";

export const words: CatalogueLike<typeof en> = {
  "gallery.no_folder": "このギャラリーにはフォルダーの指定がありません。「folder: /home/me/Pictures/2024」のような行を書いてください。",
  "gallery.no_option": "ギャラリーに「{name}」というオプションはありません。使えるオプション: folder、sort、order、filter、rating、tag、limit、rows、size",
  "gallery.bad_value": "「{value}」は、ギャラリーのオプション「{name}」に使えません。",
  "gallery.not_open": "「{folder}」は、開いているフォルダーの中にありません。「画像」で、そのフォルダーかその上のフォルダーを開いてください。",
  "gallery.failed": "「{folder}」を表示できませんでした。{reason}",
  "gallery.empty": "画像がありません",
  "gallery.count": { other: "画像 {count} 枚" },
  "gallery.part": "画像 {total} 枚のうち {shown} 枚",
};
