// What the files of a page say in Japanese.
import type { assetsEn } from "./assets.en";
import type { CatalogueLike } from "./message";

export const assetsJa: CatalogueLike<typeof assetsEn> = {
  "assets.title": "ファイル",
  "assets.show": "ページのファイルへ移動",
  "assets.toggle": "ページのファイルの表示・非表示",
  "assets.add": "このページにファイルを追加",
  "assets.loading": "ファイルの一覧を読み込み中",
  "assets.failed": "ファイルの一覧を読み込めませんでした。{reason}",
  "assets.empty": "このページにはまだファイルがありません。追加したファイルは本文に表示できます。",
  "assets.insert": "本文に挿入",
  "assets.copy": "Markdown としてコピー",
  "assets.copied": "コピーしました: {text}",
  "assets.uses": { other: "使用 {count} か所" },
  "assets.unused": "本文では未使用",
  "assets.save": "{name} のコピーを保存",
  "assets.saved": "{name} として保存しました。",
  "assets.rename": "{name} の名前を変更",
  "assets.rename_label": "{name} の新しい名前",
  "assets.renamed": "名前を {name} に変更しました。",
  "assets.renamed_used": { other: "名前を {name} に変更しました。本文の {count} か所には {before} のまま残っています。" },
  "assets.remove": "{name} を削除",
  "assets.removed": "{name} を削除しました。",
  "assets.removed_used": { other: "{name} を削除しました。本文の {count} か所でまだ使われています。" },
  "assets.undo": "元に戻す",
  "assets.deleted": { other: "削除したファイル {count} 件" },
  "assets.restore": "{name} を復元",
  "assets.all": "{count} 件すべてを表示",
  "assets.arriving": "{name} を追加しています…",
  "assets.add_failed": "{name} を追加できませんでした。{reason}",
};
