//! Hash records in all formats: a record that is read and written is read again as the same.

use fumikura_hashes::Record;

/// Checks one input.
pub fn hash_record(data: &[u8]) {
    let Ok(record) = Record::parse(data) else {
        return;
    };
    let written = record.to_bytes();
    let again = Record::parse(&written).expect("a written record is one");
    assert_eq!(again.path, record.path);
    assert_eq!(again.digest, record.digest);
    assert_eq!(again.notes, record.notes);
    let analysis = |record: &Record| {
        let fields = record.analysis.iter();
        let mut fields: Vec<_> = fields
            .map(|(name, value)| (name.clone(), value.get().to_owned()))
            .collect();
        fields.sort();
        fields
    };
    assert_eq!(analysis(&again), analysis(&record));
    assert_eq!(again.to_bytes(), written);
}
