//! `fumi` of a release, made of the desktop program: one link contains both, and the copy works without the libraries of
//! the desktop (`docs/adr/0013-one-link.md`).
//!
//! Only bytes in place change, so that a compressor finds the two files equal.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// The beginnings of the names of the libraries that both programs load.
const COMMON_LIBRARIES: [&str; 7] = [
    "ld-linux",
    "libc.so.",
    "libdl.so.",
    "libgcc_s.so.",
    "libm.so.",
    "libpthread.so.",
    "librt.so.",
];
/// The names of the programs, as `src-tauri/src/main.rs` holds them.
const DESKTOP: &[u8] = b"program of this file: fumikura";
const HEADLESS: &[u8] = b"program of this file: fumi\0\0\0\0";

// The values that the ELF specification and its GNU extensions give to the kinds of sections and of dynamic entries.
const SECTION_DYNAMIC: u32 = 6;
const SECTION_DYNAMIC_SYMBOLS: u32 = 11;
const SECTION_NEEDED_VERSIONS: u32 = 0x6fff_fffe;
const SECTION_VERSIONS: u32 = 0x6fff_ffff;
const ENTRY_END: u64 = 0;
const ENTRY_NEEDED: u64 = 1;
const ENTRY_NEEDED_VERSIONS: u64 = 0x6fff_fffe;
const ENTRY_NEEDED_VERSIONS_COUNT: u64 = 0x6fff_ffff;
const ENTRY_SIZE: usize = 16;
const SYMBOL_SIZE: usize = 24;
const BINDING_WEAK: u8 = 2;
/// The version of a symbol that any library may define.
const ANY_VERSION: u16 = 1;

/// Writes the headless program that `desktop` contains.
pub(super) fn derive(desktop: &Path, headless: &Path) -> Result<()> {
    let bytes = fs::read(desktop).with_context(|| desktop.display().to_string())?;
    let written = headless_of(bytes).with_context(|| desktop.display().to_string())?;
    // Cargo's own file of this name has a second one, which keeps its contents.
    let unfinished = headless.with_extension("unfinished");
    fs::write(&unfinished, written).with_context(|| unfinished.display().to_string())?;
    fs::set_permissions(&unfinished, Permissions::from_mode(0o755))?;
    fs::rename(&unfinished, headless).with_context(|| headless.display().to_string())
}

fn headless_of(bytes: Vec<u8>) -> Result<Vec<u8>> {
    let mut names = bytes
        .windows(DESKTOP.len())
        .enumerate()
        .filter_map(|(at, window)| (window == DESKTOP).then_some(at));
    let at = names
        .next()
        .context("the program does not hold its own name")?;
    ensure!(
        names.next().is_none(),
        "the program holds its own name twice"
    );
    let mut program = Elf::new(bytes)?;
    program.bytes[at..at + HEADLESS.len()].copy_from_slice(HEADLESS);
    program.drop_libraries(|name| COMMON_LIBRARIES.iter().any(|kept| name.starts_with(kept)))?;
    Ok(program.bytes)
}

/// A program of Linux in 64 bits, least significant byte first.
struct Elf {
    bytes: Vec<u8>,
    sections: Vec<Section>,
}

#[derive(Clone)]
struct Section {
    /// The place of its header in the file.
    header: usize,
    kind: u32,
    contents: Range<usize>,
    /// The section that this one refers to: that of its names.
    link: usize,
}

impl Elf {
    fn new(bytes: Vec<u8>) -> Result<Self> {
        ensure!(
            bytes.starts_with(b"\x7fELF\x02\x01"),
            "not a 64-bit ELF file with the least significant byte first"
        );
        let mut program = Self {
            bytes,
            sections: Vec::new(),
        };
        let table = usize::try_from(program.u64(0x28)?)?;
        let size = usize::from(program.u16(0x3a)?);
        for index in 0..usize::from(program.u16(0x3c)?) {
            let header = table + index * size;
            let start = usize::try_from(program.u64(header + 0x18)?)?;
            let section = Section {
                header,
                kind: program.u32(header + 0x04)?,
                contents: start..start + usize::try_from(program.u64(header + 0x20)?)?,
                link: usize::try_from(program.u32(header + 0x28)?)?,
            };
            program.sections.push(section);
        }
        Ok(program)
    }

    /// Removes the libraries that are not kept, and makes their symbols optional: those of missing ones are null.
    fn drop_libraries(&mut self, keeps: impl Fn(&str) -> bool) -> Result<()> {
        let versions = self.drop_needed_versions(&keeps)?;
        self.drop_needed_libraries(&keeps)?;
        self.make_symbols_optional(&versions)
    }

    fn drop_needed_libraries(&mut self, keeps: impl Fn(&str) -> bool) -> Result<()> {
        let dynamic = self.section(SECTION_DYNAMIC)?;
        let names = self.names_of(&dynamic)?;
        let mut to = dynamic.contents.start;
        for from in dynamic.contents.clone().step_by(ENTRY_SIZE) {
            let kind = self.u64(from)?;
            let value = self.u64(from + 8)?;
            if kind == ENTRY_NEEDED && !keeps(self.name(&names, value)?) {
                continue;
            }
            self.bytes.copy_within(from..from + ENTRY_SIZE, to);
            to += ENTRY_SIZE;
            if kind == ENTRY_END {
                break;
            }
        }
        self.bytes[to..dynamic.contents.end].fill(0);
        Ok(())
    }

    /// Removes the versions that symbols of dropped libraries must have. Returns their numbers.
    fn drop_needed_versions(&mut self, keeps: impl Fn(&str) -> bool) -> Result<BTreeSet<u16>> {
        let needed = self.section(SECTION_NEEDED_VERSIONS)?;
        let names = self.names_of(&needed)?;
        let (mut kept, mut dropped) = (Vec::new(), BTreeSet::new());
        let mut at = needed.contents.start;
        loop {
            match keeps(self.name(&names, self.u32(at + 4)?.into())?) {
                true => kept.push(at),
                false => dropped.extend(self.version_numbers(at)?),
            }
            match usize::try_from(self.u32(at + 12)?)? {
                0 => break,
                next => at += next,
            }
        }
        let first = *kept
            .first()
            .context("the program needs no version of a common library")?;
        for (index, at) in kept.iter().enumerate() {
            let next = kept.get(index + 1).map_or(0, |next| next - at);
            self.put(at + 12, &u32::try_from(next)?.to_le_bytes())?;
        }
        let count = u32::try_from(kept.len())?;
        self.move_needed_versions(&needed, first - needed.contents.start, count)?;
        Ok(dropped)
    }

    /// Returns the numbers of the versions of one library.
    fn version_numbers(&self, library: usize) -> Result<Vec<u16>> {
        let mut numbers = Vec::new();
        let mut at = library + usize::try_from(self.u32(library + 8)?)?;
        for _ in 0..self.u16(library + 2)? {
            numbers.push(self.u16(at + 6)?);
            at += usize::try_from(self.u32(at + 12)?)?;
        }
        Ok(numbers)
    }

    /// Writes where the list of versions begins, some bytes after its present start, and its number of libraries.
    fn move_needed_versions(&mut self, list: &Section, by: usize, count: u32) -> Result<()> {
        let by = u64::try_from(by)?;
        for (field, shift) in [(0x10, by), (0x18, by), (0x20, by.wrapping_neg())] {
            let value = self.u64(list.header + field)?.wrapping_add(shift);
            self.put(list.header + field, &value.to_le_bytes())?;
        }
        self.put(list.header + 0x2c, &count.to_le_bytes())?;
        let dynamic = self.section(SECTION_DYNAMIC)?;
        for at in dynamic.contents.step_by(ENTRY_SIZE) {
            let value = self.u64(at + 8)?;
            match self.u64(at)? {
                ENTRY_NEEDED_VERSIONS => self.put(at + 8, &(value + by).to_le_bytes())?,
                ENTRY_NEEDED_VERSIONS_COUNT => {
                    self.put(at + 8, &u64::from(count).to_le_bytes())?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes undefined symbols weak that have no version, which all symbols of the common libraries have, or a dropped one.
    fn make_symbols_optional(&mut self, dropped: &BTreeSet<u16>) -> Result<()> {
        let symbols = self.section(SECTION_DYNAMIC_SYMBOLS)?;
        let names = self.names_of(&symbols)?;
        let versions = self.section(SECTION_VERSIONS)?;
        // The first symbol is a placeholder.
        for (index, at) in symbols.contents.step_by(SYMBOL_SIZE).enumerate().skip(1) {
            let place = versions.contents.start + 2 * index;
            let version = self.u16(place)?;
            // A library of the desktop would call our function of this name instead of its own library's.
            let is_undefined = self.u16(at + 6)? == 0;
            let name = self.name(&names, self.u32(at)?.into())?;
            ensure!(is_undefined, "the program exports {name}");
            if version <= ANY_VERSION || dropped.contains(&version) {
                let kind = self.array::<1>(at + 4)?[0] & 0xf;
                self.put(at + 4, &[BINDING_WEAK << 4 | kind])?;
                self.put(place, &ANY_VERSION.to_le_bytes())?;
            }
        }
        Ok(())
    }

    fn section(&self, kind: u32) -> Result<Section> {
        let found = self.sections.iter().find(|section| section.kind == kind);
        found
            .cloned()
            .with_context(|| format!("no section of the kind {kind:#x}"))
    }

    fn names_of(&self, section: &Section) -> Result<Range<usize>> {
        let names = self.sections.get(section.link).context("no such section")?;
        Ok(names.contents.clone())
    }

    fn name(&self, names: &Range<usize>, at: u64) -> Result<&str> {
        let start = names.start + usize::try_from(at)?;
        let rest = self.bytes.get(start..names.end).context("no such name")?;
        let end = rest.iter().position(|byte| *byte == 0);
        Ok(std::str::from_utf8(
            &rest[..end.context("a name has no end")?],
        )?)
    }

    fn u16(&self, at: usize) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array(at)?))
    }

    fn u32(&self, at: usize) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array(at)?))
    }

    fn u64(&self, at: usize) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array(at)?))
    }

    fn array<const N: usize>(&self, at: usize) -> Result<[u8; N]> {
        let bytes = self.bytes.get(at..).and_then(<[u8]>::first_chunk);
        bytes.copied().context("the file ends too early")
    }

    fn put(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        let place = self.bytes.get_mut(at..at + bytes.len());
        place
            .context("the file ends too early")?
            .copy_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use tempfile::TempDir;

    use super::*;

    const PROGRAM: &str = r#"
        #include <math.h>
        extern int versioned(void), plain(void);
        extern int (*volatile both[])(void);
        int (*volatile both[])(void) = {versioned, plain};
        char name[] = "program of this file: fumikura";
        int main(int argc, char **argv) {
            if (name[26] == 'k') return both[0]() + both[1]();
            return 10 + (both[0] || both[1]) + (int)sqrt(argc);
        }
    "#;

    /// Links a program with two libraries, one of them with versions of its symbols.
    fn link(dir: &Path, options: &str) {
        fs::write(dir.join("program.c"), PROGRAM).unwrap();
        fs::write(dir.join("versioned.c"), "int versioned(void) { return 3; }").unwrap();
        fs::write(dir.join("plain.c"), "int plain(void) { return 4; }").unwrap();
        fs::write(dir.join("map"), "V_1 { versioned; };").unwrap();
        let cc = |arguments: &str| {
            let arguments = arguments.split(' ');
            let status = Command::new("cc").current_dir(dir).args(arguments).status();
            assert!(status.unwrap().success());
        };
        cc("-shared -fPIC -Wl,--version-script=map -o libversioned.so versioned.c");
        cc("-shared -fPIC -o libplain.so plain.c");
        cc(&format!(
            "-O1 -fPIE -pie -Wl,-z,now -Wl,-rpath,$ORIGIN -o desktop program.c -L. -lversioned -lplain -lm{options}"
        ));
    }

    fn exit_code(program: &Path) -> Option<i32> {
        Command::new(program).status().unwrap().code()
    }

    #[test]
    fn headless_program_runs_without_the_libraries() {
        let dir = TempDir::new().unwrap();
        link(dir.path(), "");
        let (desktop, headless) = (dir.path().join("desktop"), dir.path().join("headless"));
        derive(&desktop, &headless).unwrap();
        assert_eq!(exit_code(&desktop), Some(7));
        for library in ["libversioned.so", "libplain.so"] {
            fs::remove_file(dir.path().join(library)).unwrap();
        }
        assert_eq!(exit_code(&desktop), Some(127), "the libraries are needed");
        assert_eq!(exit_code(&headless), Some(11));
        assert_eq!(
            fs::metadata(&desktop).unwrap().len(),
            fs::metadata(&headless).unwrap().len()
        );
    }

    #[test]
    fn program_with_exported_symbols_is_refused() {
        let dir = TempDir::new().unwrap();
        link(dir.path(), " -Wl,--export-dynamic");
        let error = derive(&dir.path().join("desktop"), &dir.path().join("headless"));
        let error = format!("{:#}", error.unwrap_err());
        assert!(error.contains("the program exports"), "{error}");
    }

    #[test]
    fn program_without_its_name_is_refused() {
        assert!(headless_of(b"\x7fELF\x02\x01".to_vec()).is_err());
        let twice = [DESKTOP, DESKTOP].concat();
        assert!(headless_of(twice).is_err());
    }
}
