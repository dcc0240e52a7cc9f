//! `fumi page show --pdf`: the desktop program, which has the engine of a browser, prints the HTML file of a page.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use fumikura_base::own_file;

use crate::new_file::write_new;

/// The desktop program, which is installed beside this one.
pub(crate) const PROGRAM: &str = "fumikura";

/// Prints an HTML file to a new PDF file. An existing file is not overwritten.
///
/// # Errors
/// Fails if the desktop program is missing or has no display, or if the file cannot be written.
pub(crate) fn write(html: &[u8], file: &Path) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("couldn't create a temporary folder")?;
    let (source, printed) = (
        folder.path().join("page.html"),
        folder.path().join("page.pdf"),
    );
    own_file::create_new(&source)
        .and_then(|mut file| file.write_all(html))
        .with_context(|| format!("couldn't write {}", source.display()))?;
    let output = Command::new(program()?)
        .arg("--print-html")
        .args([&source, &printed])
        .output();
    let output = match output {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("a PDF file needs the desktop program {PROGRAM}, which is not installed")
        }
        output => output.with_context(|| format!("couldn't start {PROGRAM}"))?,
    };
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr);
        bail!("the page couldn't be printed: {}", reason.trim());
    }
    write_new(file, |mut out| {
        let mut printed = own_file::open_users(&printed).context("the printed page is missing")?;
        Ok(io::copy(&mut printed, &mut out)?)
    })?;
    Ok(())
}

/// Returns the program beside this one, or else its name, which is searched for in `PATH`.
pub(crate) fn program() -> io::Result<PathBuf> {
    let beside = std::env::current_exe()?.with_file_name(PROGRAM);
    Ok(match beside.is_file() {
        true => beside,
        false => PathBuf::from(PROGRAM),
    })
}
