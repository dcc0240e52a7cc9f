//! Rows of hashdeep lists: columns that a header names, the name of the file last.

use super::SkipReason;
use super::line::checksum;
use crate::checksum::{Algorithm, Checksum};

/// The first line's beginning.
pub(super) const MAGIC: &[u8] = b"%%%% HASHDEEP-";
/// The beginning of header lines.
pub(super) const HEADER: &[u8] = b"%%%% ";
const FILE_NAME: &[u8] = b"filename";
/// The columns of hashes, the strongest first: of several, one is used.
const HASHES: [Algorithm; 3] = [Algorithm::Sha256, Algorithm::Sha1, Algorithm::Md5];

/// The positions of the used columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    /// The number of columns before the name.
    before_name: usize,
    size: Option<usize>,
    hash: Option<(usize, Algorithm)>,
}

/// The cells of a row.
pub(super) struct Cells<'a> {
    pub(super) checksum: Checksum,
    pub(super) size: Option<u64>,
    pub(super) name: &'a [u8],
}

impl Columns {
    /// Reads a header line. Returns `None` if the file's name is not its last column, as rows could not be
    /// split then.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let names: Vec<_> = line
            .strip_prefix(HEADER)?
            .split(|byte| *byte == b',')
            .collect();
        let (last, names) = names.split_last()?;
        if last.trim_ascii() != FILE_NAME {
            return None;
        }
        let place = |wanted: &str| {
            let mut names = names.iter();
            names.position(|name| name.trim_ascii() == wanted.as_bytes())
        };
        Some(Self {
            before_name: names.len(),
            size: place("size"),
            hash: HASHES
                .iter()
                .find_map(|algorithm| Some((place(algorithm.word())?, *algorithm))),
        })
    }

    /// Splits a row. Commas in the name are part of it.
    pub(super) fn split<'a>(&self, line: &'a [u8]) -> Result<Cells<'a>, SkipReason> {
        let mut cells = line.splitn(self.before_name + 1, |byte| *byte == b',');
        let (mut size, mut hash) = (None, None);
        for place in 0..self.before_name {
            let cell = cells.next().ok_or(SkipReason::Columns)?;
            if Some(place) == self.size {
                let text = std::str::from_utf8(cell).ok();
                let bytes = text.and_then(|text| text.parse().ok());
                size = Some(bytes.ok_or(SkipReason::Columns)?);
            }
            if let Some((of, algorithm)) = self.hash
                && of == place
            {
                hash = Some(checksum(algorithm, cell).map_err(|_| SkipReason::Columns)?);
            }
        }
        let name = cells.next().ok_or(SkipReason::Columns)?;
        match hash {
            None => Err(SkipReason::NoColumn),
            Some(_) if name.is_empty() => Err(SkipReason::NoName),
            Some(_) if name.contains(&0) => Err(SkipReason::ZeroByte),
            Some(checksum) => Ok(Cells {
                checksum,
                size,
                name,
            }),
        }
    }
}
