// What is said of filters and groups in a folder of pictures, in Japanese.
import type { filterEn } from "./filter.en";
import type { CatalogueLike } from "./message";

export const filterJa: CatalogueLike<typeof filterEn> = {
  "filter.title": "名前以外での絞り込み",
  "filter.toggle": "評価・種類・日付・タグで絞り込む",
  "filter.active": "絞り込みの条件",
  "filter.remove": "条件を外す: {what}",
  "filter.any_rating": "すべての評価",
  "filter.stars": "星 {count} つ以上",
  "filter.type": "画像の種類",
  "filter.any_type": "すべての種類",
  "filter.more_types": "ほかの種類も…",
  "filter.from": "撮影日（開始）",
  "filter.to": "撮影日（終了）",
  "filter.any_day": "指定なし",
  "filter.since": "{day} 以後",
  "filter.until": "{day} 以前",
  "filter.tag": "タグ",
  "filter.tagged": "タグ「{tag}」",
  "filter.count": "{of} 枚のうち {count} 枚",
  "filter.none": "条件に合う画像はこのフォルダーにありません。ほかの画像はそのまま残っています。",

  "filter.group": "まとめ方",
  "filter.group_none": "まとめない",
  "filter.group_day": "日ごと",
  "filter.group_month": "月ごと",
  "filter.group_folder": "フォルダーごと",
  "filter.group_next": "まとめ方: {group}",
  "filter.group_by": "まとめ方の切り替え",
  "filter.undated": "フォルダーと、日付のないもの",
  "filter.here": "このフォルダーの直下",
  "filter.open_group": "この画像のフォルダーを開く",
  "filter.left_out": "表示していないフォルダー {count} 個",
  "filter.left_out_why": "読み取れないか、最初の 2 万個のフォルダー、または最初の 100 万件より後にあります。",
  "filter.group_pictures": "{count} 枚",
  "filter.group_count": "{count} 個",
};
