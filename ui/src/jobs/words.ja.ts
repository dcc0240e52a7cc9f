// The words of jobs, in Japanese.
import type { CatalogueLike } from "../i18n/message";
import type { jobsEn } from "./words.en";

export const jobsJa: CatalogueLike<typeof jobsEn> = {
  "jobs.running": "処理しています…",
  "jobs.paused": "一時停止中",
  "jobs.percent": "{percent}% 完了",
  "jobs.pause": "一時停止",
  "jobs.resume": "再開",
  "jobs.cancel": "キャンセル",
  "jobs.failed": "{what}に失敗しました。{reason}",
  "jobs.backup": "バックアップ",
  "jobs.export": "書き出し",
  "jobs.import": "取り込み",
  "jobs.cache_gc": "サムネイルの整理",
  "jobs.cache_clear": "キャッシュの消去",
  "jobs.ttl_run": "期限切れの処理",
  "jobs.record_hashes": "ハッシュの記録",
  "jobs.verify_hashes": "ハッシュの検証",
  "jobs.migrate_hashes": "記録の名前の更新",
  "jobs.check_hashes": "リストとの照合",
  "jobs.tidy_hashes": "記録の整理",
  "jobs.describe_pictures": "画像の説明",
  "jobs.pause_this": "{what}を一時停止／再開",
  "jobs.cancel_this": "{what}をキャンセル",
  "jobs.how_far": "{what}: {state}",
  "jobs.several": { other: "{count} 件を処理しています" },
  "jobs.show": "処理を表示",
  "jobs.ended": "{what}が完了しました",
  "jobs.ended_with": "{what}が完了しました。{outcome}",
  "jobs.ended_badly": "{what}に失敗しました",
  "jobs.look": "表示",
};
