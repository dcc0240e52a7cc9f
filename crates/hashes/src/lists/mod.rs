//! Lists of hashes that other programs write and read, and reports for people and programs. Only the search for
//! the files that names mean uses the disk.

mod csv;
mod encoding;
mod escape;
mod fields;
mod hashdeep;
mod json;
mod line;
mod list;
mod names;
mod parse;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub use csv::{records_csv, report_csv};
pub use json::{
    records_json, records_json_lines, removed_json_lines, report_json, report_json_lines,
};
pub use list::{
    List, ListEntry, ListFormat, OmissionReason, OmittedFile, SkipReason, SkippedLine, UnknownList,
};
pub(crate) use names::ListedNames;
pub use parse::parse;
pub use text::{records_text, removed_text, report_text};
pub use write::{write_hashdeep, write_rhash, write_sha256sums};
