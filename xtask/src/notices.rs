//! The notices of all third-party code in the packages: the crates that cargo compiles in, and the npm
//! packages of the page. They are read from each package's own files; a text that several packages share is
//! listed once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{command, paths};

/// The name of the file.
pub(crate) const NAME: &str = "THIRD-PARTY-NOTICES.txt";
/// The workspace's packages that become programs.
const PROGRAMS: [&str; 2] = ["fumikura", "fumikura-cli"];
/// The beginnings of the names of notice files, before an extension or a suffix (`LICENSE-MIT`, `COPYING.txt`).
const NAMES: [&str; 6] = [
    "LICENSE",
    "LICENCE",
    "COPYING",
    "COPYRIGHT",
    "NOTICE",
    "UNLICENSE",
];
/// The extensions of files that have such a name but are code or data.
const CODE: [&str; 9] = [
    "RS", "JS", "MJS", "CJS", "TS", "SVELTE", "JSON", "MAP", "SPDX",
];
const HEAD: &str = "\
Fumikura contains the works of others that are named here, with their notices. Fumikura itself is licensed under MIT or
Apache-2.0, as you like. It is compiled with the Rust standard library, by the Rust Project's contributors, which is
licensed so, too. This software is based in part on the work of the Independent JPEG Group.
";

/// The registry of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Registry {
    Cargo,
    Npm,
}

/// A third-party package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Work {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: String,
    pub(crate) registry: Registry,
    /// The address of its source code.
    source: String,
    folder: PathBuf,
}

/// Writes the file into the build folder.
pub(crate) fn write() -> Result<PathBuf> {
    let works = works()?;
    let path = paths::target().join(NAME);
    fs::write(&path, render(&works)?).with_context(|| path.display().to_string())?;
    Ok(path)
}

/// Returns all third-party packages in the programs, each once.
pub(crate) fn works() -> Result<BTreeSet<Work>> {
    let mut works = crates()?;
    works.extend(npm_packages(&paths::ui())?);
    Ok(works.into_iter().collect())
}

/// Returns the crates that cargo compiles into the programs on this machine.
fn crates() -> Result<Vec<Work>> {
    let version = command::quiet(command::program("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let metadata = command::quiet(
        command::cargo()
            .args(["metadata", "--format-version", "1", "--locked"])
            .args(["--filter-platform", host.context("rustc names no host")?]),
    )?;
    compiled_in(&serde_json::from_str(&metadata).context("cargo metadata")?)
}

/// Returns the crates in the programs, without build dependencies, development dependencies and procedural macros.
fn compiled_in(metadata: &Value) -> Result<Vec<Work>> {
    let by_id = |list: &'static str| -> HashMap<&str, &Value> {
        let list = elements(&metadata[list]);
        list.map(|one| (text(&one["id"]), one)).collect()
    };
    let packages = by_id("packages");
    let nodes: HashMap<&str, &Value> = elements(&metadata["resolve"]["nodes"])
        .map(|node| (text(&node["id"]), node))
        .collect();
    let is_program = |id: &&str| PROGRAMS.contains(&text(&packages[id]["name"]));
    let own = elements(&metadata["workspace_members"]).map(text);
    let mut to_do: Vec<&str> = own.filter(is_program).collect();
    if to_do.len() != PROGRAMS.len() {
        bail!("cargo metadata does not know all of {PROGRAMS:?}");
    }
    let mut seen: BTreeSet<&str> = to_do.iter().copied().collect();
    let mut works = Vec::new();
    while let Some(id) = to_do.pop() {
        let package = packages.get(id).context("a package is not described")?;
        if is_macro(package) {
            continue;
        }
        if !package["source"].is_null() {
            works.push(crate_of(package)?);
        }
        let node = nodes.get(id).context("a package is not resolved")?;
        let normal = elements(&node["deps"])
            .filter(|dep| elements(&dep["dep_kinds"]).any(|kind| kind["kind"].is_null()));
        to_do.extend(
            normal
                .map(|dep| text(&dep["pkg"]))
                .filter(|id| seen.insert(id)),
        );
    }
    Ok(works)
}

fn is_macro(package: &Value) -> bool {
    let kinds = elements(&package["targets"]).flat_map(|target| elements(&target["kind"]));
    kinds.map(text).any(|kind| kind == "proc-macro")
}

fn crate_of(package: &Value) -> Result<Work> {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let manifest = Path::new(text(&package["manifest_path"]));
    Ok(Work {
        name: name.to_owned(),
        version: version.to_owned(),
        source: format!("https://crates.io/crates/{name}/{version}"),
        licence: text(&package["license"]).to_owned(),
        registry: Registry::Cargo,
        folder: manifest
            .parent()
            .context("a manifest has no parent folder")?
            .to_owned(),
    })
}

/// Returns the npm packages that the page may contain: those that the lockfile marks neither as optional nor as only
/// for development.
fn npm_packages(ui: &Path) -> Result<Vec<Work>> {
    let lock = ui.join("package-lock.json");
    let lock = fs::read_to_string(&lock).with_context(|| lock.display().to_string())?;
    let lock: Value = serde_json::from_str(&lock).context("package-lock.json")?;
    let packages = lock["packages"].as_object().context("no npm packages")?;
    let mut works = Vec::new();
    for (path, package) in packages {
        let is_of_page = !["dev", "devOptional", "optional"]
            .iter()
            .any(|flag| package[flag] == true);
        let Some((_, name)) = path.rsplit_once("node_modules/").filter(|_| is_of_page) else {
            continue;
        };
        let version = text(&package["version"]);
        works.push(Work {
            name: name.to_owned(),
            version: version.to_owned(),
            source: format!("https://www.npmjs.com/package/{name}/v/{version}"),
            licence: text(&package["license"]).to_owned(),
            registry: Registry::Npm,
            folder: ui.join(path),
        });
    }
    Ok(works)
}

/// Formats all packages by name, and each notice with the packages that have it.
fn render(works: &BTreeSet<Work>) -> Result<String> {
    let mut notices: BTreeMap<String, Vec<&Work>> = BTreeMap::new();
    let mut document = HEAD.to_owned();
    for work in works {
        let texts = notices_in(&work.folder)?;
        document += &format!("\n{}: {}", work.title(), work.source);
        if texts.is_empty() {
            document += ", without a text of its own";
        }
        for text in texts {
            notices.entry(text).or_default().push(work);
        }
    }
    document.push('\n');
    let mut notices: Vec<_> = notices.into_iter().collect();
    notices.sort_by(|(_, of_a), (_, of_b)| of_a.cmp(of_b));
    for (text, of) in notices {
        let titles: Vec<String> = of.into_iter().map(Work::title).collect();
        let line = "=".repeat(80);
        document += &format!("\n{line}\n{}\n\n{text}\n", titles.join("\n"));
    }
    Ok(document)
}

impl Work {
    fn title(&self) -> String {
        format!("{} {} ({})", self.name, self.version, self.licence)
    }
}

/// Returns the distinct notices of a package, including those of code that it has vendored.
fn notices_in(folder: &Path) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let name = name.to_string_lossy();
        // The dependencies of an npm package are packages of their own.
        if kind.is_dir() && name != "node_modules" {
            texts.extend(notices_in(&entry.path())?);
        } else if kind.is_file() && is_notice(&name) {
            let text = fs::read(entry.path())?;
            let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
            texts.insert(text.trim_end().trim_start_matches('\n').to_owned());
        }
    }
    Ok(texts)
}

/// Returns true if a file has the name of a notice and is not code.
fn is_notice(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let Some(rest) = NAMES.iter().find_map(|start| name.strip_prefix(start)) else {
        return false;
    };
    let ending = rest.rsplit_once('.').map_or("", |(_, ending)| ending);
    (rest.is_empty() || rest.starts_with(['-', '_', '.'])) && !CODE.contains(&ending)
}

fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn notice_files_are_recognized_by_name() {
        for name in [
            "LICENSE",
            "license.md",
            "LICENSE-MIT",
            "LICENSE_APACHE-2.0",
            "COPYING.txt",
            "NOTICE",
            "LICENSE.httprouter",
        ] {
            assert!(is_notice(name), "{name}");
        }
        for name in [
            "license.rs",
            "licenses",
            "copyrighted.txt",
            "LICENSE.spdx",
            "notice.d.ts",
            "copyright.svelte",
            "README",
        ] {
            assert!(!is_notice(name), "{name}");
        }
    }

    #[test]
    fn only_compiled_in_packages_are_listed() {
        let package = |name: &str, kind: &str, source: Value| {
            json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT", "source": source,
                "manifest_path": format!("/{name}/Cargo.toml"), "targets": [{"kind": [kind]}]})
        };
        let node = |id: &str, deps: &[(&str, Option<&str>)]| {
            let deps = deps
                .iter()
                .map(|(pkg, kind)| json!({"pkg": pkg, "dep_kinds": [{"kind": kind}]}));
            json!({"id": id, "deps": deps.collect::<Vec<_>>()})
        };
        let metadata = json!({
            "workspace_members": ["fumikura", "fumikura-cli", "xtask"],
            "packages": [
                package("fumikura", "bin", Value::Null),
                package("fumikura-cli", "bin", Value::Null),
                package("xtask", "bin", Value::Null),
                package("used", "lib", json!("registry")),
                package("deep", "lib", json!("registry")),
                package("macro", "proc-macro", json!("registry")),
                package("of-macro", "lib", json!("registry")),
                package("builds", "lib", json!("registry")),
                package("tests", "lib", json!("registry")),
                package("tool", "lib", json!("registry")),
            ],
            "resolve": {"nodes": [
                node("fumikura", &[("used", None), ("macro", None), ("builds", Some("build"))]),
                node("fumikura-cli", &[("used", None), ("tests", Some("dev"))]),
                node("xtask", &[("tool", None)]),
                node("used", &[("deep", None)]),
                node("deep", &[("used", None)]),
                node("macro", &[("of-macro", None)]),
            ]},
        });
        let works = compiled_in(&metadata).unwrap();
        let names: BTreeSet<&str> = works.iter().map(|work| &*work.name).collect();
        assert_eq!(names, BTreeSet::from(["deep", "used"]));
        assert!(compiled_in(&json!({})).is_err());
    }

    #[test]
    fn shared_notice_is_listed_once() {
        let folder = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = folder.path().join("node_modules").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("a/LICENSE", "One text.\n");
        put("a/vendor/COPYING", "Of something inside.");
        put("a/node_modules/c/LICENSE", "Another text.");
        put("@of/b/license.md", "One text.\r\n");
        put("bare/index.js", "");
        let package = json!({"version": "1.0.0", "license": "MIT"});
        let lock = json!({"packages": {
            "": package,
            "node_modules/a": package,
            "node_modules/a/node_modules/c": package,
            "node_modules/@of/b": package,
            "node_modules/bare": package,
            "node_modules/tests": {"version": "1.0.0", "dev": true},
        }});
        fs::write(folder.path().join("package-lock.json"), lock.to_string()).unwrap();
        let document = render(&npm_packages(folder.path()).unwrap().into_iter().collect()).unwrap();
        let line = "=".repeat(80);
        let expected = format!(
            "{HEAD}
@of/b 1.0.0 (MIT): https://www.npmjs.com/package/@of/b/v/1.0.0
a 1.0.0 (MIT): https://www.npmjs.com/package/a/v/1.0.0
bare 1.0.0 (MIT): https://www.npmjs.com/package/bare/v/1.0.0, without a text of its own
c 1.0.0 (MIT): https://www.npmjs.com/package/c/v/1.0.0

{line}
@of/b 1.0.0 (MIT)
a 1.0.0 (MIT)

One text.

{line}
a 1.0.0 (MIT)

Of something inside.

{line}
c 1.0.0 (MIT)

Another text.
"
        );
        assert_eq!(document, expected);
    }
}
