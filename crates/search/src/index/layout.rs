//! The fields of an index and the format of its terms. docs/STORAGE.md describes it.

use std::io::{self, Write};
use std::path::Path;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use tantivy::schema::{
    BytesOptions, FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing,
    TextOptions,
};

use super::error::IndexError;

/// The version of the layout and of the extraction of texts.
const VERSION_LINE: &str = "fumikura search index 4\n";
const VERSION_FILE: &str = "format";

/// The names of the numeric fields.
pub(super) const VERSION: &str = "version";
pub(super) const KEY_HIGH: &str = "key_high";
pub(super) const KEY_LOW: &str = "key_low";

/// The prefix of a single character.
pub(super) const CHARACTER: char = '\u{1}';
/// The prefix of two adjacent characters.
pub(super) const PAIR: char = '\u{2}';
/// The prefix of a word.
pub(super) const WORD: char = '\u{3}';
/// The prefix of the mark between a number and the next one, at the position of the first.
pub(super) const MARK: char = '\u{4}';
/// The prefix of a tag in its original spelling.
pub(super) const TAG: char = '\u{2}';
/// The term of pages with pictures.
pub(super) const HAS_PICTURE: &str = "\u{1}picture";
/// The term of pages of whose texts only the beginning is indexed.
pub(super) const IS_CUT: &str = "\u{1}cut";

/// The fields of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) key: Field,
    pub(super) key_high: Field,
    pub(super) key_low: Field,
    pub(super) version: Field,
    pub(super) body: Field,
    pub(super) title: Field,
    /// Runs of one to three adjacent letters of words.
    pub(super) letters: Field,
    /// Tags, folded, with the tags above them, and in their original spelling; [`HAS_PICTURE`]; and [`IS_CUT`].
    pub(super) marks: Field,
}

pub(super) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let text = |tokenizer: &str, record| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(record);
        TextOptions::default().set_indexing_options(indexing)
    };
    let number: NumericOptions = FAST.into();
    let fields = Fields {
        key: schema.add_bytes_field("key", BytesOptions::default().set_indexed()),
        key_high: schema.add_u64_field(KEY_HIGH, number.clone()),
        key_low: schema.add_u64_field(KEY_LOW, number.clone()),
        version: schema.add_u64_field(VERSION, number),
        body: schema.add_text_field(
            "body",
            text("units", IndexRecordOption::WithFreqsAndPositions),
        ),
        title: schema.add_text_field(
            "title",
            text("units", IndexRecordOption::WithFreqsAndPositions),
        ),
        letters: schema.add_text_field("letters", text("letters", IndexRecordOption::Basic)),
        marks: schema.add_text_field("marks", text("raw", IndexRecordOption::Basic)),
    };
    (schema.build(), fields)
}

/// Checks the version of an index, or writes it if there is none.
pub(super) fn check_version(folder: &Path) -> Result<(), IndexError> {
    durable::create_folder(folder, Access::Private)?;
    let file = folder.join(VERSION_FILE);
    match own_file::read_to_string(&file, own_file::VALUE) {
        Ok(version) if version == VERSION_LINE => Ok(()),
        Ok(_) => Err(IndexError::Unusable("it is of another version".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if folder.join("meta.json").exists() {
                return Err(IndexError::Unusable("its version is missing".to_owned()));
            }
            Ok(own_file::create_new(&file)?.write_all(VERSION_LINE.as_bytes())?)
        }
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(IndexError::Unusable(error.to_string()))
        }
        Err(error) => Err(error.into()),
    }
}
