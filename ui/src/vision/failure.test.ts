import { beforeEach, expect, it } from "vitest";
import { ApiError, type ApiErrorCode, type ErrorDetails } from "../api/errors";
import { setLocale } from "../i18n";
import { StubHost } from "../testing/stub-host";
import { failureText } from "./failure";

/** A sentence of the server, for programs and logs. */
const OUR_OWN = "A sentence in English.";

const textOf = (code: ApiErrorCode, details: ErrorDetails = {}) => failureText(new ApiError(code, 502, OUR_OWN, details), new StubHost());

beforeEach(() => setLocale("ja"));

it.each([
  ["bad_request", "サービスがリクエストを受け付けませんでした。"],
  ["malformed_answer", "サービスの回答が求めた形式ではありませんでした。もう一度試すか、別のモデルを選んでください。"],
  ["answer_too_large", "サービスの回答が長すぎます。"],
  ["service_error", "サービス側で問題が起きています。しばらくしてからもう一度試してください。"],
  ["command_failed", "OCR コマンドが失敗しました。"],
  ["command_flooded", "OCR コマンドの出力が多すぎます。"],
  ["timed_out", "サービスから時間内に回答がありませんでした。"],
  ["key_missing", "このサービスにはキーが必要ですが、まだありません。"],
] as const)("explains %s in the language of the page", (reason, words) => {
  expect(textOf("vision_failed", { reason })).toBe(words);
});

it("quotes the service with its own words only", () => {
  const quoted = textOf("model_gone", { reason: "model_gone", serviceMessage: "no such model" });
  expect(quoted).toBe("このモデルは提供されなくなりました。設定で別のモデルを選んでください。サービスからのメッセージ: no such model");
  expect(textOf("vision_failed", { reason: "command_failed", serviceMessage: "no jpn" })).toBe("OCR コマンドが失敗しました。コマンドからのメッセージ: no jpn");
  const found = textOf("vision_unreachable", { reason: "unreachable", technicalDetail: "nas.local: Connection refused" });
  expect(found).toBe("画像を説明するサービスに接続できません。詳細: nas.local: Connection refused");
});
