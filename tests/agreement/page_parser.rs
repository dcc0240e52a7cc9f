//! The page's parser, in Node.

use std::collections::BTreeSet;
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The running bundle of `ui/src/testing/print-links.ts`; it ends when dropped.
pub(crate) struct PageParser {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl PageParser {
    /// Starts the parser for the page at `page`; `folder` holds its bundle.
    pub(crate) fn start(page: &str, folder: &Path) -> Self {
        let program = bundle(folder);
        let mut process = Command::new(node())
            .args([program.as_os_str(), page.as_ref()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node starts; `cargo xtask test` brings one");
        Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
        }
    }

    /// Returns the targets of a source's links, as the page finds them.
    pub(crate) fn targets(&mut self, source: &str) -> BTreeSet<String> {
        serde_json::to_writer(&mut self.input, source).unwrap();
        self.input.write_all(b"\n").unwrap();
        self.input.flush().unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).expect("the parser answers with a line of JSON")
    }
}

impl Drop for PageParser {
    fn drop(&mut self) {
        // It waits for its next line, or has failed with a message.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn bundle(folder: &Path) -> PathBuf {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui");
    let program = folder.join("print-links.mjs");
    let output = Command::new(node())
        .current_dir(&ui)
        .args([
            "node_modules/rolldown/bin/cli.mjs",
            "src/testing/print-links.ts",
        ])
        .args(["--platform", "node", "--format", "esm", "--file"])
        .arg(&program)
        .output()
        .expect("Node starts; `cargo xtask test` brings one");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "bundling the page's parser: {said}"
    );
    program
}

fn node() -> PathBuf {
    env::var_os("FUMIKURA_NODE").map_or_else(|| "node".into(), PathBuf::from)
}
