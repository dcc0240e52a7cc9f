// What the settings say of the thumbnails in Japanese.
import type { cacheEn } from "./cache.en";
import type { CatalogueLike } from "./message";

export const cacheJa: CatalogueLike<typeof cacheEn> = {
  "cache.title": "サムネイル",
  "cache.about": "フォルダーをすぐに表示できるように、縮小した画像を保存しています。増えすぎると、長く使われていないものから自動で削除されます。削除されたものは、必要になったときに作り直されます。",
  "cache.loading": "サムネイルの使用量を調べています",
  "cache.failed": "サムネイルの使用量を調べられませんでした。",
  "cache.used": "{limit} のうち {used} を使用中",
  "cache.files": { other: "サムネイル {count} 枚" },
  "cache.empty": "保存しているサムネイルはまだありません。",
  "cache.scanning": "数えている途中です。実際はもっと多いことがあります。",
  "cache.too_full": "使用量が {percent}% を超えています。長く使われていないサムネイルを削除しています。",
  "cache.waiting": { other: "作成待ち {count} 枚" },
  "cache.since": "Fumikura を起動してから",
  "cache.hits": "キャッシュヒット",
  "cache.misses": "キャッシュミス",
  "cache.generated": "作成",
  "cache.failures": "作成失敗",
  "cache.evicted": "容量確保のため削除",
  "cache.gc": "サムネイルの整理",
  "cache.gc_about": "使用量が {size} 以下になるまで、長く使われていないものから削除します。",
  "cache.gc_run": "今すぐ整理",
  "cache.freed": { other: "{count} 枚のサムネイルを削除しました（{size}）。" },
  "cache.freed_none": "十分な空きがあるため、何も削除しませんでした。",
  "cache.stopped": "中止しました。それまでに削除したサムネイルは、必要になったときに作り直されます。",
};
