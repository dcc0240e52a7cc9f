//! Settings of the daily note and of the templates of new pages.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::path::{InvalidPath, PagePath};

/// The largest number of folders with a template.
const MAX_FOLDERS: usize = 100;
/// What begins a date in the path of the daily note; its format follows, up to [`DATE_END`].
const DATE: &str = "{{date:";
const DATE_END: &str = "}}";

/// The daily note, and the templates of new pages. Templates are pages, named by their paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Templates {
    /// The path of a day's note: `/daily/{{date:YYYY-MM-DD}}`. A format in it states the year, the month and the day.
    #[cfg_attr(feature = "wire", schema(required))]
    pub daily_path: String,
    /// The template of the daily note; null for none.
    #[cfg_attr(feature = "wire", schema(required))]
    pub daily_template: Option<String>,
    /// The templates of new pages below folders. The deepest folder counts.
    #[cfg_attr(feature = "wire", schema(required))]
    pub folders: Vec<FolderTemplate>,
}

/// The template of new pages below a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct FolderTemplate {
    /// The path above the new pages.
    pub folder: String,
    /// The path of the template.
    pub template: String,
}

/// A setting of templates is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTemplates {
    /// A path is not a page's path.
    #[error("{field}: {reason}")]
    Path {
        /// The setting.
        field: &'static str,
        /// What is wrong with it.
        reason: InvalidPath,
    },
    /// Two days would have one note.
    #[error(
        "daily_path needs a date with year, month and day, such as /daily/{{{{date:YYYY-MM-DD}}}}"
    )]
    NotDaily,
    /// The same folder has two templates.
    #[error("{0} has two templates")]
    Twice(String),
    /// There are too many folders.
    #[error("templates are set for {0} folders; at most {MAX_FOLDERS} are allowed")]
    TooMany(usize),
}

impl Default for Templates {
    fn default() -> Self {
        Self {
            daily_path: "/daily/{{date:YYYY-MM-DD}}".to_owned(),
            daily_template: None,
            folders: Vec::new(),
        }
    }
}

impl Templates {
    /// Returns the settings with normalized paths.
    ///
    /// # Errors
    /// [`InvalidTemplates`] if a path is invalid, if the path of the daily note doesn't differ for each day, or if a
    /// folder is named twice.
    pub fn checked(self) -> Result<Self, InvalidTemplates> {
        check_daily_path(&self.daily_path)?;
        if self.folders.len() > MAX_FOLDERS {
            return Err(InvalidTemplates::TooMany(self.folders.len()));
        }
        let daily_template = self
            .daily_template
            .map(|path| normalized("daily_template", &path))
            .transpose()?;
        let mut seen = BTreeSet::new();
        let mut folders = Vec::new();
        for FolderTemplate { folder, template } in self.folders {
            let folder = normalized("folder", &folder)?;
            if !seen.insert(folder.clone()) {
                return Err(InvalidTemplates::Twice(folder));
            }
            let template = normalized("template", &template)?;
            folders.push(FolderTemplate { folder, template });
        }
        Ok(Self {
            daily_path: self.daily_path,
            daily_template,
            folders,
        })
    }
}

fn normalized(field: &'static str, path: &str) -> Result<String, InvalidTemplates> {
    PagePath::new(path)
        .map(|path| path.to_string())
        .map_err(|reason| InvalidTemplates::Path { field, reason })
}

/// A format may contain slashes, so that a year is a folder. Its letters stand for what they become.
fn check_daily_path(pattern: &str) -> Result<(), InvalidTemplates> {
    let mut path = String::new();
    let mut formats = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once(DATE) {
        let (format, after) = after
            .split_once(DATE_END)
            .ok_or(InvalidTemplates::NotDaily)?;
        path.push_str(before);
        path.push_str(format);
        formats.push_str(&without_literals(format));
        rest = after;
    }
    path.push_str(rest);
    let other_placeholder = path.contains("{{");
    let is_daily = ['Y', 'M', 'D'].iter().all(|&part| formats.contains(part));
    if !is_daily || other_placeholder {
        return Err(InvalidTemplates::NotDaily);
    }
    normalized("daily_path", &path).map(drop)
}

/// Text in brackets is not part of the date.
fn without_literals(format: &str) -> String {
    let mut letters = String::new();
    let mut depth = 0_u32;
    for c in format.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => letters.push(c),
            _ => {}
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn daily(pattern: &str) -> Result<Templates, InvalidTemplates> {
        Templates {
            daily_path: pattern.to_owned(),
            ..Templates::default()
        }
        .checked()
    }

    #[test]
    fn daily_path_needs_every_part_of_a_date() {
        for pattern in [
            "/daily/{{date:YYYY-MM-DD}}",
            "/{{date:YYYY}}/{{date:MM}}/{{date:DD}}",
            "/日記/{{date:YYYY年M月D日}}",
            "/{{date:YYYY/MM/DD [note]}}",
        ] {
            assert!(daily(pattern).is_ok(), "{pattern}");
        }
        for pattern in [
            "/daily",
            "/daily/{{date:YYYY-MM}}",
            "/daily/{{date:YYYY-MM-[D]}}",
            "/daily/{{date:YYYY-MM-DD",
            "/{{title}}/{{date:YYYY-MM-DD}}",
            "/{{date:YYYY-MM-DD}}/{{title}}",
        ] {
            assert_eq!(daily(pattern), Err(InvalidTemplates::NotDaily), "{pattern}");
        }
    }

    #[test]
    fn daily_path_stays_within_the_wiki() {
        for pattern in ["/../{{date:YYYY-MM-DD}}", "daily/{{date:YYYY-MM-DD}}"] {
            let refused = daily(pattern).expect_err("it leads outside");
            assert!(
                matches!(
                    refused,
                    InvalidTemplates::Path {
                        field: "daily_path",
                        ..
                    }
                ),
                "{pattern}: {refused}"
            );
        }
    }

    #[test]
    fn folder_has_one_template() {
        let of = |folder: &str| FolderTemplate {
            folder: folder.to_owned(),
            template: "/templates/meeting/".to_owned(),
        };
        let checked = Templates {
            folders: vec![of("/team/"), of("/home")],
            ..Templates::default()
        }
        .checked();
        let folders = checked.expect("they differ").folders;
        assert_eq!(folders[0].folder, "/team");
        assert_eq!(folders[0].template, "/templates/meeting");
        let twice = Templates {
            folders: vec![of("/team"), of("/team/")],
            ..Templates::default()
        };
        assert_eq!(
            twice.checked(),
            Err(InvalidTemplates::Twice("/team".to_owned()))
        );
    }
}
