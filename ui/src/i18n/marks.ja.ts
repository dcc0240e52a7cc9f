// What is said of ratings and tags, in Japanese.
import type { CatalogueLike } from "./message";
import type { marksEn } from "./marks.en";

export const marksJa: CatalogueLike<typeof marksEn> = {
  "marks.title": "評価とタグ",
  "marks.title_one": "「{name}」の評価とタグ",
  "marks.title_many": "{count} 枚の画像の評価とタグ",
  "marks.ask": "評価とタグ…",
  "marks.where": "評価とタグは、画像と同じフォルダーの XMP ファイルに保存します。ほかのアプリからも読めます。画像そのものは変更しません。",

  "marks.rating": "評価",
  "marks.stars": "星 {count} つ",
  "marks.unrated": "評価なし",
  "marks.rejected": "不採用",
  "marks.rate": "星 {count} つを付ける",
  "marks.unrate": "評価を削除",
  "marks.reject": "画像を不採用にする",

  "marks.tags": "タグ",
  "marks.add": "タグを追加",
  "marks.remove": "タグ「{tag}」を外す",
  "marks.add_to_all": "タグ「{tag}」をすべてに付ける",
  "marks.some": "{of} 枚中 {count} 枚",

  "marks.rated_was": "{name}: {rating}（変更前: {before}）",
  "marks.rated": "{count} 枚の画像: {rating}",
  "marks.tagged_one": "「{name}」にタグ「{tag}」を付けました",
  "marks.tagged": "{count} 枚の画像にタグ「{tag}」を付けました",
  "marks.untagged_one": "「{name}」からタグ「{tag}」を外しました",
  "marks.untagged": "{count} 枚の画像からタグ「{tag}」を外しました",
  "marks.caption": "キャプション",
  "marks.captioned_one": "「{name}」のキャプションを保存しました",
  "marks.captioned": "{count} 枚の画像のキャプションを保存しました",
  "marks.undone": "元に戻しました: {what}",
  "marks.working": "評価とタグを保存しています: {percent}",
  "marks.pictures_only": "評価とタグを付けられるのは画像だけです。",
  "marks.failed_one": "「{name}」の評価とタグを保存できませんでした：{why}",
  "marks.failed_some": { other: "{count} 枚の画像の評価とタグを保存できませんでした。「{name}」：{why}" },
  "marks.failed": "評価とタグを保存できませんでした。",
};
