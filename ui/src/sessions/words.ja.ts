// The words of the signed-in browsers, in Japanese.
import type { CatalogueLike } from "../i18n/message";
import type { words as en } from "./words.en";

export const words: CatalogueLike<typeof en> = {
  "sessions.title": "サインインしているブラウザー",
  "sessions.about": "サインインは 30 日間有効です。ほかのブラウザーで使うには、fumi login を実行し、表示されたアドレスをそのブラウザーで開いてください。",
  "sessions.loading": "サインインしているブラウザーを調べています",
  "sessions.failed": "サインインしているブラウザーを調べられませんでした。",
  "sessions.browser_on": "{browser}（{system}）",
  "sessions.unknown": "不明なブラウザー",
  "sessions.window": "Fumikura のウィンドウ",
  "sessions.this_browser": "このブラウザー",
  "sessions.this_window": "このウィンドウ",
  "sessions.began": "サインイン: {time}",
  "sessions.seen": "最後の利用: {time}",
  "sessions.ends": "有効期限: {time}",
  "sessions.ends_with_program": "Fumikura を閉じるまで有効",
  "sessions.end": "サインアウトさせる",
  "sessions.end_of": "「{name}」をサインアウトさせる",
  "sessions.sign_out": "サインアウト",
  "sessions.sign_out_title": "このブラウザーからサインアウトしますか",
  "sessions.sign_out_about": "保存したものは無事です。このブラウザーでまた使うには、fumi login を実行し、表示されたアドレスを開いてください。",
  "sessions.end_others": "ほかをすべてサインアウトさせる",
  "sessions.end_others_title": "ほかのブラウザーをすべてサインアウトさせますか",
  "sessions.end_others_about": "このブラウザーと Fumikura のウィンドウはそのままです。ほかのブラウザーで書きかけの文章は、もう一度サインインするまで保存できません。",
  "sessions.ended": { other: "{count} 個のブラウザーをサインアウトさせました" },
};
