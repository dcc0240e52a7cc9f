//! Hash records compared with common tools: one large file, very many small ones, an incremental pass,
//! rebuilding an index, and names.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_base::entropy::{Entropy, SeededEntropy};
use fumikura_benches::{Figure, median};
use fumikura_hashes::{FilePath, decode, encode};
use fumikura_tests::stage::programs;

const MIB: usize = 1 << 20;

#[derive(Parser)]
struct HashOptions {
    /// Folder in which files are made, and kept for the next time
    #[arg(long)]
    folder: PathBuf,
    /// Number of small files
    #[arg(long, default_value_t = 100_000)]
    files: u32,
    /// Size of the large file, in MiB
    #[arg(long, default_value_t = 2048)]
    large: usize,
    /// Number of measurements
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

fn main() -> Result<()> {
    let options = HashOptions::parse();
    let bench = Bench::prepare(&options)?;
    bench.large_file()?;
    bench.small_files()?;
    bench.incremental()?;
    names();
    Ok(())
}

struct Bench {
    rounds: usize,
    files: u32,
    fumi: PathBuf,
    large: PathBuf,
    small: PathBuf,
    records: PathBuf,
    list: PathBuf,
}

/// The seconds of several measurements in each round. They take turns, so that a disturbance affects all of them.
struct Rounds(Vec<Vec<f64>>);

impl Rounds {
    fn median(&self, which: usize) -> f64 {
        median(self.0.iter().map(|round| round[which]).collect())
    }

    /// Returns the median of the ratios of two measurements in the same round.
    fn ratio(&self, of: usize, to: usize) -> f64 {
        median(self.0.iter().map(|round| round[of] / round[to]).collect())
    }
}

impl Bench {
    fn prepare(options: &HashOptions) -> Result<Self> {
        let folder = &options.folder;
        fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        let bench = Self {
            rounds: options.rounds,
            files: options.files,
            fumi: programs::headless()?,
            large: folder.join("large"),
            small: folder.join(format!("small-{}", options.files)),
            records: folder.join("records"),
            list: folder.join("list"),
        };
        bench.write_large(options.large * MIB)?;
        bench.write_small()?;
        Ok(bench)
    }

    fn write_large(&self, bytes: usize) -> Result<()> {
        if fs::metadata(&self.large).is_ok_and(|metadata| metadata.len() == bytes as u64) {
            return Ok(());
        }
        let mut file = File::create(&self.large)?;
        let entropy = SeededEntropy::new(1);
        let mut piece = vec![0; MIB];
        for _ in 0..bytes / MIB {
            entropy.fill(&mut piece);
            file.write_all(&piece)?;
        }
        Ok(())
    }

    /// Writes files of 4 to 64 KiB, a thousand to a folder.
    fn write_small(&self) -> Result<()> {
        if self.small.join("whole").exists() {
            return Ok(());
        }
        let entropy = SeededEntropy::new(2);
        let mut piece = vec![0; 64 * 1024];
        entropy.fill(&mut piece);
        for number in 0..self.files {
            let folder = self.small.join(format!("{:03}", number / 1000));
            if number % 1000 == 0 {
                fs::create_dir_all(&folder)?;
            }
            let size = 4096 + (number as usize * 7919) % (60 * 1024);
            piece[..4].copy_from_slice(&number.to_le_bytes());
            fs::write(folder.join(format!("{number}.bin")), &piece[..size])?;
        }
        fs::write(self.small.join("whole"), "")?;
        Ok(())
    }

    fn measure_in_turns(
        &self,
        mut each: Vec<Box<dyn FnMut() -> Result<()> + '_>>,
    ) -> Result<Rounds> {
        let mut rounds = Vec::new();
        for _ in 0..self.rounds {
            let mut times = Vec::new();
            for work in &mut each {
                let start = Instant::now();
                work()?;
                times.push(start.elapsed().as_secs_f64());
            }
            rounds.push(times);
        }
        Ok(Rounds(rounds))
    }

    /// Measures a large file on one processor.
    fn large_file(&self) -> Result<()> {
        fs::read(&self.large).context("the file is brought into the page cache")?;
        let one = |program: &str, arguments: &[&str]| {
            let mut command = Command::new("taskset");
            command.args(["-c", "0", program]).args(arguments);
            command
        };
        let path = self.large.to_string_lossy().into_owned();
        let records = self.records.with_extension("large");
        let dir = records.to_string_lossy().into_owned();
        let fumi = self.fumi.to_string_lossy().into_owned();
        run(&mut one(&fumi, &["hash", "record", "--dir", &dir, &path]))?;
        let rounds = self.measure_in_turns(vec![
            Box::new(|| run(&mut one(&fumi, &["hash", "verify", "--dir", &dir, &path]))),
            Box::new(|| run(&mut one("openssl", &["dgst", "-sha256", &path]))),
            Box::new(|| run(&mut one("rhash", &["--sha256", &path]))),
        ])?;
        let gigabytes = fs::metadata(&self.large)?.len() as f64 / 1e9;
        println!("one file of {gigabytes:.1} GB, in the page cache, on one processor, GB/s:");
        for (which, name) in ["fumi hash verify", "openssl dgst", "rhash"]
            .iter()
            .enumerate()
        {
            println!("  {name:<18} {:.2}", gigabytes / rounds.median(which));
        }
        Figure::new(
            format!("verify one file of {gigabytes:.1} GB"),
            rounds.ratio(1, 0),
        )
        .to("openssl dgst")
        .at_least(0.97);
        Ok(())
    }

    fn small_files(&self) -> Result<()> {
        let small = self.small.to_string_lossy().into_owned();
        let dir = self.records.to_string_lossy().into_owned();
        let fumi = |arguments: &[&str]| {
            let mut command = Command::new(&self.fumi);
            command.arg("hash").args(arguments);
            command
        };
        let list = File::create(&self.list)?;
        let listed = Command::new("hashdeep")
            .args(["-c", "sha256", "-j2", "-r", &small])
            .stdout(list)
            .status()?;
        ensure!(listed.success(), "hashdeep: {listed}");
        let list_path = self.list.to_string_lossy().into_owned();
        let rounds = self.measure_in_turns(vec![
            Box::new(|| {
                remove(&self.records)?;
                run(&mut fumi(&["record", "--dir", &dir, &small]))
            }),
            Box::new(|| run(&mut fumi(&["verify", "--dir", &dir, &small]))),
            Box::new(|| {
                run(Command::new("hashdeep")
                    .args(["-a", "-k", &list_path, "-c", "sha256", "-j2", "-r", &small]))
            }),
            Box::new(|| {
                let all = format!("find '{small}' -type f -print0 | xargs -0 -n 500 -P2 sha256sum");
                run(Command::new("sh").args(["-c", &all]))
            }),
        ])?;
        println!("{} files of 4 to 64 KiB, seconds:", self.files);
        for (which, name) in [
            "fumi hash record",
            "fumi hash verify",
            "hashdeep -j2 -a",
            "sha256sum, xargs -P2",
        ]
        .iter()
        .enumerate()
        {
            println!("  {name:<24} {:.2}", rounds.median(which));
        }
        let work = format!("verify {} small files, times as fast", self.files);
        Figure::new(&*work, rounds.ratio(2, 1))
            .to("hashdeep -j2")
            .at_least(2.0);
        Figure::new(work, rounds.ratio(3, 1))
            .to("sha256sum, two processes")
            .without_aim();
        let more = (rounds.median(0) - rounds.median(1)) * 1000.0 / f64::from(self.files);
        Figure::new("record of a file, more than its verification", more)
            .unit("ms")
            .at_most(0.3);
        Ok(())
    }

    fn incremental(&self) -> Result<()> {
        let small = self.small.to_string_lossy().into_owned();
        let dir = self.records.to_string_lossy().into_owned();
        let find = || {
            let mut find = Command::new("find");
            run(find.args([&small, "-printf", "%p %s %T@ %C@ %i\\n"]))
        };
        let verify = || {
            run(Command::new(&self.fumi).args(["hash", "verify", "--quick", "--dir", &dir, &small]))
        };
        let rounds = self.measure_in_turns(vec![
            Box::new(verify),
            Box::new(|| {
                fs::remove_file(self.records.join(".fumikura/index"))?;
                run(Command::new(&self.fumi).args(["hash", "list", "--dir", &dir]))
            }),
            Box::new(|| {
                // For the next round's incremental pass.
                run(Command::new(&self.fumi).args(["hash", "record", "--dir", &dir, &small]))
            }),
            Box::new(find),
        ])?;
        println!(
            "an incremental pass {:.2} s, an index rebuilt {:.2} s, find -printf {:.2} s",
            rounds.median(0),
            rounds.median(1),
            rounds.median(3)
        );
        Figure::new(
            format!("incremental pass over {} files", self.files),
            rounds.ratio(0, 3),
        )
        .to("find -printf")
        .at_most(1.5);
        Figure::new("index of records rebuilt", rounds.ratio(1, 3))
            .to("find -printf")
            .at_most(5.0);
        Ok(())
    }
}

fn names() {
    const NAMES: usize = 1_000_000;
    let paths: Vec<_> = (0..NAMES)
        .filter_map(|number| {
            FilePath::new(format!(
                "/home/user/Pictures/2026/11/{number}/IMG_{number}#~.jpg"
            ))
            .ok()
        })
        .collect();
    let start = Instant::now();
    let names: Vec<_> = paths.iter().map(encode).collect();
    let encoding = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let decoded = names.iter().filter(|name| decode(name).is_ok()).count();
    let decoding = start.elapsed().as_secs_f64();
    let millions = |seconds: f64| decoded as f64 / seconds / 1e6;
    for (work, seconds) in [("encoded", encoding), ("decoded", decoding)] {
        Figure::new(format!("names of records {work}"), millions(seconds))
            .unit("million a second")
            .at_least(2.0);
    }
}

/// Runs a command; its output is discarded.
fn run(command: &mut Command) -> Result<()> {
    if command.get_args().next().is_some() {
        command.stdin(Stdio::null());
    }
    let status = command.stdout(Stdio::null()).status();
    let status = status.with_context(|| format!("{command:?} can't be started"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}
