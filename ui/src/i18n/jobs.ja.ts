// What is said of work that takes a while in Japanese.
import type { jobsEn } from "./jobs.en";
import type { CatalogueLike } from "./message";

export const jobsJa: CatalogueLike<typeof jobsEn> = {
  "jobs.running": "処理しています…",
  "jobs.paused": "一時停止中",
  "jobs.percent": "{percent}% 完了",
  "jobs.pause": "一時停止",
  "jobs.resume": "再開",
  "jobs.cancel": "中止",
  "jobs.failed": "完了できませんでした。{reason}",
};
