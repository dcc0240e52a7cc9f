//! The page with the report of an import.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fumikura_convert::{LossKind, SkipReason, link};
use fumikura_wiki::{MigrationCounts, MigrationPlan, PageAction};
use jiff::civil::Date;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::PreparedImport;
use super::UPLOAD;

/// The maximum number of items in each section.
const MAX_ITEMS: usize = 500;

/// Returns the name of the page.
pub(super) fn name(day: Date, is_japanese: bool) -> String {
    match is_japanese {
        true => format!("取り込みの記録 {day}"),
        false => format!("Import report {day}"),
    }
}

/// A report that is being written in a language.
struct Report<'r> {
    text: String,
    is_japanese: bool,
    prepared: &'r PreparedImport,
}

/// Returns the text of the page, with targets of links.
pub(super) fn text(
    prepared: &PreparedImport,
    plan: &MigrationPlan,
    counts: &MigrationCounts,
) -> String {
    let mut report = Report {
        text: String::new(),
        is_japanese: prepared.is_japanese,
        prepared,
    };
    report.summary(counts);
    report.pages(plan);
    report.losses();
    report.skipped();
    report.text
}

impl<'r> Report<'r> {
    fn say(&self, en: &'static str, ja: &'static str) -> &'static str {
        if self.is_japanese { ja } else { en }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn summary(&mut self, counts: &MigrationCounts) {
        let name = escaped(self.prepared.tree.name());
        let title = match self.is_japanese {
            true => format!("# 「{name}」の取り込み"),
            false => format!("# Import of {name}"),
        };
        self.line(&title);
        let source = &self.prepared.request.source;
        let source = code(source.strip_prefix(UPLOAD).unwrap_or(source));
        self.line(&format!("\n{}\n", source));
        let head = self.say("| | Number |\n| --- | ---: |", "| | 件数 |\n| --- | ---: |");
        self.line(head);
        let skipped = self.prepared.source.skipped.len() as u64;
        for (en, ja, count) in [
            ("Pages created", "作成したページ", counts.created),
            ("Pages updated", "更新したページ", counts.updated),
            ("Pages unchanged", "変更のないページ", counts.unchanged),
            (
                "Pages left as they are here",
                "こちらの内容を残したページ",
                counts.kept,
            ),
            ("Files attached", "添付したファイル", counts.attached),
            (
                "Files unchanged",
                "変更のないファイル",
                counts.files_unchanged,
            ),
            (
                "Files left as they are here",
                "こちらの内容を残したファイル",
                counts.files_kept,
            ),
            ("Skipped", "取り込まなかったもの", skipped),
        ] {
            if count > 0 {
                let row = format!("| {} | {count} |", self.say(en, ja));
                self.line(&row);
            }
        }
    }

    /// Writes a section with a heading, a sentence and items.
    fn section(&mut self, heading: &str, about: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        self.line(&format!("\n## {heading} ({})\n", items.len()));
        if !about.is_empty() {
            self.line(&format!("{about}\n"));
        }
        for item in items.iter().take(MAX_ITEMS) {
            self.line(&format!("- {item}"));
        }
        if let Some(more) = items.len().checked_sub(MAX_ITEMS).filter(|more| *more > 0) {
            let more = match self.is_japanese {
                true => format!("- ほか {more} 件"),
                false => format!("- and {more} more"),
            };
            self.line(&more);
        }
    }

    fn pages(&mut self, plan: &MigrationPlan) {
        let notes = &self.prepared.source.notes;
        let pages = || plan.pages.iter().zip(notes);
        let item = |origin: &str| format!("[[{}]]: {}", link::to(origin, None), code(origin));
        self.offered(plan);
        for (action, en, ja) in [
            (
                PageAction::DeletedHere,
                "Deleted here",
                "こちらで削除されたページ",
            ),
            (
                PageAction::Locked,
                "Being edited during the import",
                "取り込み中に編集されていたページ",
            ),
        ] {
            let kept = pages().filter(|(page, _)| page.action == action);
            let items: Vec<String> = kept.map(|(_, note)| item(&note.origin)).collect();
            let about = self.say(
                "The import left these pages as they are.",
                "これらのページは変更していません。",
            );
            self.section(self.say(en, ja), about, &items);
        }
        let renamed = pages().filter(|(page, _)| page.renamed);
        let items: Vec<String> = renamed.map(|(_, note)| item(&note.origin)).collect();
        let about = self.say(
            "The names of these notes were taken, too long, or not valid for pages.",
            "名前が重複している、長すぎる、またはページに使えないため、別の名前にしました。",
        );
        self.section(
            self.say("Renamed pages", "名前を変えたページ"),
            about,
            &items,
        );
    }

    /// Writes the pages that have changed here and in the source, with both texts.
    fn offered(&mut self, plan: &MigrationPlan) {
        let pages = plan.pages.iter().zip(&self.prepared.source.notes);
        let changed = pages.filter(|(page, _)| page.action == PageAction::ChangedHere);
        let text = self.say("imported text", "取り込んだ本文");
        let items: Vec<String> = changed
            .map(|(page, note)| {
                let link = link::to(&note.origin, None);
                let item = format!("[[{link}]]: {}", code(&note.origin));
                match &page.offer {
                    Some(name) => format!("{item} – [{text}](<asset:{}>)", encoded(name.as_str())),
                    None => item,
                }
            })
            .collect();
        let heading = self.say(
            "Changed here and in the source",
            "こちらと取り込み元の両方で変更されたページ",
        );
        let about = self.say(
            "The import left these pages as they are. Compare each with the imported text, and take that over or keep the page, in the settings under “Import from another app”.",
            "これらのページは変更していません。設定の「ほかのアプリからの取り込み」で取り込んだ本文と比べて、その本文にするか、ページを残すかを選べます。",
        );
        self.section(heading, about, &items);
    }

    fn losses(&mut self) {
        let mut by_kind: BTreeMap<LossKind, Vec<String>> = BTreeMap::new();
        for note in &self.prepared.source.notes {
            for loss in &note.losses {
                let item = format!(
                    "[[{}]]: {}",
                    link::to(&note.origin, None),
                    code(&loss.detail)
                );
                by_kind.entry(loss.kind).or_default().push(item);
            }
        }
        for (kind, items) in by_kind {
            let (en, ja) = loss_words(kind);
            self.section(self.say(en, ja), "", &items);
        }
    }

    fn skipped(&mut self) {
        let mut by_reason: BTreeMap<SkipReason, Vec<String>> = BTreeMap::new();
        for skipped in &self.prepared.source.skipped {
            let items = by_reason.entry(skipped.reason).or_default();
            items.push(code(&skipped.origin));
        }
        for (reason, items) in by_reason {
            let (en, ja) = skip_words(reason);
            let heading = match self.is_japanese {
                true => format!("取り込まなかったもの：{ja}"),
                false => format!("Skipped: {en}"),
            };
            self.section(&heading, "", &items);
        }
    }
}

fn loss_words(kind: LossKind) -> (&'static str, &'static str) {
    match kind {
        LossKind::Encoding => ("Texts in another encoding", "UTF-8 以外の文字コードの本文"),
        LossKind::FrontMatter => ("Front matter that can’t be read", "読み取れないプロパティ"),
        LossKind::UnresolvedLink => (
            "Links to pages that don’t exist",
            "存在しないページへのリンク",
        ),
        LossKind::AmbiguousLink => (
            "Links with several possible targets",
            "リンク先の候補が複数あるリンク",
        ),
        LossKind::MissingFile => ("Missing files", "見つからないファイル"),
        LossKind::Query => ("Queries and scripts", "クエリとスクリプト"),
        LossKind::Markup => ("Markup without an equivalent", "置き換えられない記法"),
        LossKind::BlockReference => ("References to blocks", "ブロックへの参照"),
        LossKind::Encrypted => ("Encrypted parts", "暗号化された部分"),
        LossKind::Reminder => ("Reminders", "リマインダー"),
        LossKind::Name => ("Changed names", "変更した名前"),
    }
}

fn skip_words(reason: SkipReason) -> (&'static str, &'static str) {
    match reason {
        SkipReason::Settings => ("settings of the program", "プログラムの設定"),
        SkipReason::Hidden => ("hidden files", "隠しファイル"),
        SkipReason::Deleted => ("deleted in the program", "元のプログラムで削除されたもの"),
        SkipReason::Link => ("symbolic links", "シンボリックリンク"),
        SkipReason::Special => ("special files", "特殊ファイル"),
        SkipReason::Outside => (
            "paths that lead out of the archive",
            "アーカイブの外を指すパス",
        ),
        SkipReason::Unreadable => ("unreadable", "読み取れないもの"),
        SkipReason::TooLarge => ("too large", "大きすぎるもの"),
        SkipReason::Encrypted => ("encrypted", "暗号化されたもの"),
        SkipReason::Duplicate => ("duplicates", "重複"),
        SkipReason::Description => ("descriptions of other items", "ほかの項目の説明"),
        SkipReason::SitePart => ("parts of the exported site", "書き出されたサイトの部品"),
    }
}

/// Writes the name of a file as the destination of a link.
fn encoded(name: &str) -> String {
    const MISREAD: &AsciiSet = &CONTROLS
        .add(b'%')
        .add(b'#')
        .add(b'?')
        .add(b'<')
        .add(b'>')
        .add(b'\\');
    utf8_percent_encode(name, MISREAD).to_string()
}

/// Writes a text as code, in one line.
fn code(text: &str) -> String {
    let mut line = String::with_capacity(text.len() + 2);
    for c in text.chars() {
        line.push(if c.is_control() { ' ' } else { c });
    }
    // A fence of more backticks than the text has in a row.
    let longest = line
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    match longest {
        0 => format!("{fence}{line}{fence}"),
        _ => format!("{fence} {line} {fence}"),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            let _ = write!(out, "\\");
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}
