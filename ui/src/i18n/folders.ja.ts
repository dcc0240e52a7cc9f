// What the picture folders say in Japanese.
import type { foldersEn } from "./folders.en";
import type { CatalogueLike } from "./message";

export const foldersJa: CatalogueLike<typeof foldersEn> = {
  "folders.title": "画像",
  "folders.all": "すべてのフォルダー",
  "folders.open": "フォルダーを開く…",
  "folders.up": "上のフォルダーへ",
  "folders.refresh": "フォルダーの再読み込み",
  "folders.loading": "フォルダーを読み込み中",
  "folders.tools": "並び順と大きさ",

  "folders.sort": "並び順",
  "folders.sort_name": "名前",
  "folders.sort_modified": "更新日時",
  "folders.sort_size": "ファイルの大きさ",
  "folders.sort_next": "並べ替え: {sort}",
  "folders.sort_by": "並び順の切り替え",
  "folders.reverse": "並び順を逆にする",
  "folders.ascending": "昇順（押すと降順）",
  "folders.descending": "降順（押すと昇順）",
  "folders.size": "サムネイルの大きさ",
  "folders.size_value": "{size} ピクセル",
  "folders.larger": "サムネイルを大きく",
  "folders.smaller": "サムネイルを小さく",
  "folders.count": { other: "画像 {count} 枚" },
  "folders.modified_at": "更新 {time}",
  "folders.polling": "数秒ごとに確かめています",
  "folders.polling_why": "変化が知らされないフォルダーです。ほかの機械にあるか、システムの監視できる数を使い切っています。",

  "folders.first_title": "まだフォルダーが開かれていません",
  "folders.first": "画像の入ったフォルダーを選んでください。Fumikura は読むだけで、中身を変えません。",
  "folders.first_browser": "読んでよいフォルダーを指定して、Fumikura を起動してください。",
  "folders.first_path": "その中のフォルダーなら、パスでも追加できます。",
  "folders.path": "フォルダーのパス",
  "folders.add_path": "追加",

  "folders.empty_title": "このフォルダーは空です",
  "folders.empty": "ここに画像を入れると、自動で並びます。",
  "folders.gone_title": "フォルダーが見つかりません",
  "folders.gone": "移動または削除されたか、ディスクが接続されていないようです。Fumikura は中身を変えていません。また使えるようになれば、自動で表示します。",
  "folders.failed_title": "フォルダーを読めませんでした",
  "folders.unknown_title": "このフォルダーは開かれていません",
  "folders.away": "今は開けません",

  "folders.forget": "一覧から外す",
  "folders.forget_this": "「{name}」を一覧から外す",
  "folders.forget_title": "「{name}」を一覧から外しますか",
  "folders.forget_message": "中の画像はそのまま残ります。",

  "folders.thumb_failed": "サムネイルなし",
  "folders.picture_gone_title": "この画像は見つかりません",
  "folders.picture_gone": "名前が変わったか、移動または削除されたのかもしれません。",

  "folders.viewer": "画像",
  "folders.next": "次の画像",
  "folders.previous": "前の画像",
  "folders.back_to_folder": "フォルダーへ戻る",
};
