//! The words of a page's history.

/// The language of a text that the program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wording {
    /// English.
    En,
    /// Japanese.
    Ja,
}

impl Wording {
    pub(super) fn heading(self, path: &str) -> String {
        match self {
            Self::En => format!("History of {path}"),
            Self::Ja => format!("{path} の履歴"),
        }
    }

    pub(super) fn revision(self, revision: u64) -> String {
        match self {
            Self::En => format!("Revision {revision}"),
            Self::Ja => format!("リビジョン {revision}"),
        }
    }

    /// Describes the author of a revision, its time, and the number of times it was amended.
    pub(super) fn attribution(self, revision: &str, when: &str, who: &str, amends: u32) -> String {
        let amended = match (self, amends) {
            (_, 0) => String::new(),
            (Self::En, 1) => ", amended once".to_owned(),
            (Self::En, amends) => format!(", amended {amends} times"),
            (Self::Ja, amends) => format!("（{amends} 回上書き）"),
        };
        match self {
            Self::En => format!("{revision}, {when}, by {who}{amended}"),
            Self::Ja => format!("{revision}　{when}　{who}{amended}"),
        }
    }

    pub(super) fn renamed(self, from: Option<&str>, to: &str) -> String {
        match (self, from) {
            (Self::En, None) => format!("The page was made at {to}."),
            (Self::En, Some(from)) if from == to => format!("The page came back to {to}."),
            (Self::Ja, Some(from)) if from == to => format!("{to} に戻りました。"),
            (Self::En, Some(from)) => format!("The page was renamed from {from} to {to}."),
            (Self::Ja, None) => format!("{to} に作成されました。"),
            (Self::Ja, Some(from)) => format!("{from} から {to} に移動しました。"),
        }
    }

    pub(super) fn links(self) -> &'static str {
        match self {
            Self::En => "Just before, the links in the page led from these paths to these pages:",
            Self::Ja => "移動の直前に、ページ内のリンクは次のページを指していました。",
        }
    }

    pub(super) fn erased_page(self) -> &'static str {
        match self {
            Self::En => "a page that was permanently deleted",
            Self::Ja => "完全に削除されたページ",
        }
    }

    pub(super) fn no_page(self) -> &'static str {
        match self {
            Self::En => "no page yet",
            Self::Ja => "ページなし",
        }
    }

    pub(super) fn deleted(self, when: &str, who: &str) -> String {
        match self {
            Self::En => format!("The page was deleted, {when}, by {who}."),
            Self::Ja => format!("このページは {when} に {who} が削除しました。"),
        }
    }

    /// Describes links that are not listed individually.
    pub(super) fn more_links(self, count: usize) -> String {
        match self {
            Self::En => format!("and {count} more"),
            Self::Ja => format!("ほか {count} 件"),
        }
    }

    /// Describes revisions that exist and are not listed here.
    pub(super) fn older(self, from: u64, to: u64) -> String {
        match self {
            Self::En if from == to => format!("Revision {to} is older, and not listed here."),
            Self::En => format!("Revisions {from} to {to} are older, and not listed here."),
            Self::Ja if from == to => {
                format!("これより古いリビジョン {to} は、ここには表示していません。")
            }
            Self::Ja => {
                format!(
                    "これより古いリビジョン {from} から {to} までは、ここには表示していません。"
                )
            }
        }
    }

    pub(super) fn removed(self, until: u64) -> String {
        match (self, until) {
            (Self::En, 1) => "Revision 1 was removed.".to_owned(),
            (Self::En, until) => format!("Revisions 1 to {until} were removed."),
            (Self::Ja, 1) => "リビジョン 1 は整理されました。".to_owned(),
            (Self::Ja, until) => format!("リビジョン 1 から {until} までは整理されました。"),
        }
    }
}
