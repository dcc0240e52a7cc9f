//! Folders of pictures: an ordinary one, and unusual ones.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{fixture, put_dated_picture, put_sidecar};
use crate::stage::Home;

/// The ordinary folder of those that `folders` makes.
pub const PHOTOGRAPHS: &str = "Photographs";
/// A folder with pictures that can't be decoded, and long names.
pub const BROKEN_PICTURES: &str = "Odd ones";
/// The file in [`BROKEN_PICTURES`] that no engine can show.
pub const NO_PICTURE: &str = "00-no-picture.jpg";
/// A folder with pictures of several days, with ratings and tags.
pub const MARKED: &str = "Kyoto";
/// A folder with subfolders that have pictures of the same names.
pub const JOURNEYS: &str = "Journeys";
/// The path from there to the deepest subfolder.
pub const DEEPEST: &str = "Nara/Deer park";
/// An empty folder.
pub const EMPTY: &str = "Empty";
/// A folder that `remove_memory_card` removes.
pub const MEMORY_CARD: &str = "Memory card";

/// Makes them in a home. The first is the ordinary one, which a start shows.
///
/// # Errors
/// Fails if one of them can't be written.
pub fn folders(home: &Home) -> Result<Vec<PathBuf>> {
    let made = [
        PHOTOGRAPHS,
        BROKEN_PICTURES,
        EMPTY,
        MEMORY_CARD,
        MARKED,
        JOURNEYS,
    ]
    .map(|name| home.folder(name));
    let made = made.into_iter().collect::<Result<Vec<_>>>()?;
    let [photographs, odd, _, _, marked, journeys] = made.as_slice() else {
        unreachable!("BUG: six were made");
    };
    for (from, to) in [("images/photographs", photographs), ("images/broken", odd)] {
        for entry in fs::read_dir(fixture(from))? {
            let path = entry?.path();
            fs::copy(
                &path,
                to.join(path.file_name().context("a file has a name")?),
            )?;
        }
    }
    fs::create_dir_all(odd.join("A folder within, whose name is longer than what it holds"))?;
    fs::write(odd.join(NO_PICTURE), "Words, whatever its name says")?;
    fs::copy(
        fixture("images/orientation/Landscape_1.jpg"),
        odd.join(format!("{}.jpg", "IMG_20191103_".repeat(14))),
    )?;
    mark(marked)?;
    travel(journeys)?;
    Ok(made)
}

/// Puts some pictures into the folder itself, and most into subfolders.
fn travel(folder: &Path) -> Result<()> {
    let pictures = ["Landscape_1", "Portrait_1"]
        .map(|name| fixture(&format!("images/orientation/{name}.jpg")));
    for (within, count) in [
        ("", 5),
        (
            "Along the coast by the old railway, and back over the mountains",
            4,
        ),
        (DEEPEST, 4),
        ("京都", 7),
    ] {
        let within = folder.join(within);
        fs::create_dir_all(&within)?;
        for (number, picture) in (1..=count).zip(pictures.iter().cycle()) {
            fs::copy(picture, within.join(format!("IMG_{number:04}.jpg")))?;
        }
    }
    Ok(())
}

/// Writes pictures of two days in autumn, some of them rated and tagged.
fn mark(folder: &Path) -> Result<()> {
    for number in 1..=9 {
        let day = 8 + number / 5;
        let time = format!("2024:11:{day:02} 1{number}:05:00");
        put_dated_picture(folder, &format!("DSC_{number:04}.jpg"), &time)?;
    }
    put_sidecar(folder, "DSC_0002.jpg", 5, &["京都", "紅葉"])?;
    put_sidecar(folder, "DSC_0003.jpg", 3, &["京都"])?;
    put_sidecar(folder, "DSC_0006.jpg", 4, &["京都", "Family/Hanako"])
}

/// Removes a folder that existed when it was opened.
///
/// # Errors
/// Fails if it can't be removed.
pub fn remove_memory_card(home: &Home) -> Result<()> {
    Ok(fs::remove_dir(home.folder(MEMORY_CARD)?)?)
}
