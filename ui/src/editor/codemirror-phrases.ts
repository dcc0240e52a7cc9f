// The texts that CodeMirror shows, in the user's language.
import type { Translate } from "../i18n";
import type { EditorWords } from "./extensions";

export function codeMirrorPhrases(t: Translate): EditorWords {
  return {
    label: t("editor.label"),
    placeholder: t("editor.placeholder"),
    phrases: {
      Completions: t("editor.completions"),
      Find: t("editor.find"),
      Replace: t("editor.find_replace"),
      next: t("editor.find_next"),
      previous: t("editor.find_previous"),
      all: t("editor.find_all"),
      "match case": t("editor.find_case"),
      regexp: t("editor.find_regexp"),
      "by word": t("editor.find_word"),
      replace: t("editor.find_replace_one"),
      "replace all": t("editor.find_replace_all"),
      close: t("editor.find_close"),
      "$1 of $2": t("editor.find_count"),
      "current match": t("editor.find_current"),
      "on line": t("editor.find_on_line"),
      "replaced match on line $": t("editor.find_replaced_line"),
      "replaced $ matches": t("editor.find_replaced"),
      "Go to line": t("editor.go_to_line"),
      go: t("editor.go"),
    },
  };
}
