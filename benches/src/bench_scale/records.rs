//! Hash records of files in folders of a thousand.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fumikura_hashes::{
    Batch, Contents, Digest, FilePath, HashFolder, Record, Scope, VerifyOptions, load, read,
};
use jiff::Timestamp;

use crate::Costs;

/// The number of files in a folder, and of records that are written at once.
const TOGETHER: usize = 1000;

/// Makes a folder with this number of records, and measures it. Only one of the files exists.
pub(crate) fn measure(count: usize, rounds: usize) -> Result<Costs> {
    let top = tempfile::tempdir()?;
    let files = top.path().join("files");
    let folder = HashFolder::create(&top.path().join("records"))?;
    let existing = file(&files, 0)?;
    let parent = files.join("0");
    fs::create_dir_all(&parent)?;
    fs::write(existing.as_path(), "contents")?;
    let contents = read(&existing, &|_| true)?;
    let mut costs = Costs::default();
    let began = Instant::now();
    for start in (0..count).step_by(TOGETHER) {
        write(
            &folder,
            &files,
            start..count.min(start + TOGETHER),
            &contents,
        )?;
    }
    costs.per_item("record of a file, by thousands", began, count as u64);
    costs.measure("lookup of a record", rounds, |round| {
        let path = file(&files, round * 7919 % count)?;
        Ok(load(&folder.file(&folder.name_for(&path)))?)
    })?;
    costs.measure("update of a record", rounds, |round| {
        let number = round * 7919 % count;
        write(&folder, &files, number..number + 1, &contents)
    })?;
    let began = Instant::now();
    let index = folder.rebuilt_index()?;
    costs.per_item("index rebuilt, for each record", began, count as u64);
    let lock = folder.lock()?;
    folder.save_index(&index)?;
    drop(lock);
    costs.measure("listing of a folder", rounds, |round| {
        let number = round * TOGETHER % count;
        let listed = FilePath::new(parent_of(&files, number))?;
        let found = index.within(&listed).count();
        ensure!(found > 0, "nothing is listed");
        Ok(found)
    })?;
    costs.measure("verification of one file", rounds.min(10), |_| {
        let scope = Scope::Paths(vec![existing.clone()]);
        let options = VerifyOptions::default();
        let report = folder.verify(&scope, &options, Timestamp::now(), &())?;
        ensure!(report.files_read == 1, "{report:?}");
        Ok(())
    })?;
    let began = Instant::now();
    drop(folder.index()?);
    costs.per_item("index loaded, for each record", began, count as u64);
    Ok(costs)
}

fn write(
    folder: &HashFolder,
    files: &Path,
    numbers: std::ops::Range<usize>,
    contents: &Contents,
) -> Result<()> {
    let mut batch = Batch::new(folder);
    for number in numbers {
        let path = file(files, number)?;
        let contents = match number {
            0 => *contents,
            _ => Contents {
                digest: digest(number),
                ..*contents
            },
        };
        let name = folder.name_for(&path);
        let replaces = folder.file(&name).exists();
        batch.put(
            name,
            &Record::new(path, &contents, Timestamp::now()),
            replaces,
        );
    }
    let taken = batch.commit()?;
    ensure!(taken.is_empty(), "names were taken");
    Ok(())
}

fn digest(number: usize) -> Digest {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    Digest(bytes)
}

fn parent_of(files: &Path, number: usize) -> String {
    files
        .join((number / TOGETHER).to_string())
        .to_string_lossy()
        .into_owned()
}

fn file(files: &Path, number: usize) -> Result<FilePath> {
    let path = format!("{}/{number}.jpg", parent_of(files, number));
    FilePath::new(path).context("the path of a file is valid")
}
