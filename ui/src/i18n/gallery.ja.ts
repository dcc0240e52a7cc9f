// What is said in Japanese where a page shows a folder, and of pictures that are put into pages.
import type { CatalogueLike } from "./message";
import type { galleryEn } from "./gallery.en";

export const galleryJa: CatalogueLike<typeof galleryEn> = {
  "gallery.no_folder": "このギャラリーにはフォルダーの指定がありません。「folder: /home/me/Pictures/2024」のような行を書いてください。",
  "gallery.no_option": "ギャラリーに「{name}」というオプションはありません。使えるオプション: folder、sort、order、filter、rating、tag、limit、rows、size",
  "gallery.bad_value": "「{value}」は、ギャラリーのオプション「{name}」に使えません。",
  "gallery.not_open": "「{folder}」は、開いているフォルダーの中にありません。「画像」で、そのフォルダーかその上のフォルダーを開いてください。",
  "gallery.failed": "「{folder}」を表示できませんでした。{reason}",
  "gallery.empty": "画像がありません",
  "gallery.count": { other: "画像 {count} 枚" },
  "gallery.part": "画像 {total} 枚のうち {shown} 枚",

  "insert.menu": "ページに挿入…",
  "insert.gallery": "ギャラリーとしてコピー",
  "insert.gallery_copied": "「{folder}」のギャラリーをコピーしました。ページに貼り付けてください。",
  "insert.gallery_unwritable": "このフォルダーはギャラリーとしてコピーできません。パスを文字として読めないか、パスに改行が含まれています。",
  "insert.gallery_failed": "コピーできませんでした。",
  "insert.title_one": "「{name}」をページに挿入",
  "insert.title": { other: "画像 {count} 枚をページに挿入" },
  "insert.do": "ページを開いて挿入",
  "insert.none": "挿入する画像を選択してください。",
  "insert.dock": "ページにドロップして挿入",
  "insert.other": "ほかのページ…",
  "insert.pages": "使っているページ",
  "insert.pages_none": "この画像を使っているページはありません。",
};
