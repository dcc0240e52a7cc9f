//! `cargo xtask bench …`: measurements on this machine, compared with a reference.

mod all;
mod report;
mod scale;

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::build::{self, Profile};
use crate::{command, dist, install, paths, tests_crate};

#[derive(clap::Args)]
pub(crate) struct BenchTaskOptions {
    #[command(subcommand)]
    subject: BenchSubject,
    /// Measure programs of the dev profile, to try a measurement out: its figures mean nothing
    #[arg(long, global = true)]
    dev: bool,
}

#[derive(clap::Subcommand)]
enum BenchSubject {
    /// Every measurement with figures, one after the other; `--report` writes docs/PERFORMANCE.md
    All(all::AllBenchOptions),
    /// Time from start to the painted page, and memory, compared with a blank window
    Start {
        /// Number of starts of each of the two
        #[arg(long, default_value_t = 9)]
        launches: u32,
    },
    /// Sizes of the packages of `cargo xtask dist` and of their parts, beside the aim
    Size,
    /// Costs of saving, reading, listing, renaming and opening as a wiki grows
    Wiki {
        /// Numbers of pages in the wiki, ascending
        #[arg(long, default_value = "1000,10000,100000")]
        pages: String,
        /// Number of pages with properties, for lists of pages
        #[arg(long, default_value_t = 10_000)]
        listed: u32,
        /// Number of measurements of each operation
        #[arg(long, default_value_t = 300)]
        rounds: u32,
    },
    /// Export, import, backup and check of a wiki, compared with `zip -1`, `cp` and restic
    Archive(ArchiveBenchOptions),
    /// Time from an address to the painted text in a fresh browser, compared with a blank page
    Reading {
        /// Number of pages in the wiki
        #[arg(long, default_value_t = 100_000)]
        pages: u32,
        /// Number of openings of each page
        #[arg(long, default_value_t = 7)]
        rounds: u32,
    },
    /// Times from a key press in a page of 100 KiB to its letter and to its painted preview, compared with a field that
    /// echoes
    Preview {
        /// Number of pages in the wiki
        #[arg(long, default_value_t = 100_000)]
        pages: u32,
        /// Number of times that everything is typed
        #[arg(long, default_value_t = 3)]
        rounds: u32,
        /// Use the desktop window, without a comparison
        #[arg(long)]
        window: bool,
    },
    /// Cost of decoding a picture in a separate process, compared with the same process
    Worker {
        /// Number of decodings of each picture by either
        #[arg(long, default_value_t = 2000)]
        rounds: u32,
    },
    /// Choice of the thumbnails that are evicted, compared with exact LRU
    Eviction {
        /// Number of counted requests
        #[arg(long, default_value_t = 3_000_000)]
        requests: u32,
    },
    /// Cost of thumbnails of photos, compared with `vipsthumbnail`
    Thumbs {
        /// Number of photos of each coding
        #[arg(long, default_value_t = 60)]
        count: u32,
        /// Number of times that each side makes all thumbnails
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// The same of photos in every format
    Formats {
        /// Number of photos of each format
        #[arg(long, default_value_t = 12)]
        count: u32,
        /// Number of times that each side makes all thumbnails
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// Cost of exporting photos at the size of a screen, compared with `vipsthumbnail`
    Export {
        /// Number of photos
        #[arg(long, default_value_t = 60)]
        count: u32,
        /// Number of times that each side exports all photos
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// Search for similar pictures among photos without thumbnails, compared with making their thumbnails
    Similar {
        /// Number of pictures
        #[arg(long, default_value_t = 10_000)]
        pictures: u32,
        /// Number of measurements of each
        #[arg(long, default_value_t = 3)]
        rounds: u32,
    },
    /// The JPEG decoder of `crates/jpeg-reduce` alone, compared with libjpeg-turbo's `djpeg`
    Jpeg {
        /// Number of photos
        #[arg(long, default_value_t = 12)]
        count: u32,
        /// Number of times that each side reduces all photos
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// Cost of a very large thumbnail cache: counting it (compared with `du`), memory, and answers during
    /// evictions
    Cache {
        /// Number of thumbnails
        #[arg(long, default_value_t = 1_000_000)]
        files: u32,
    },
    /// A very large folder of pictures: listing (compared with `find`), opening, scrolling, and a photo that
    /// changes
    Folder {
        /// Number of pictures in the folder
        #[arg(long, default_value_t = 100_000)]
        pictures: u32,
        /// Number of times that the folder is listed, opened and scrolled through
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// The rate limiter, compared with the governor crate and redis-benchmark
    Limits {
        /// Number of measurements of each
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// Expiry of a cache of a million thumbnails
    Ttl {
        /// Number of measurements of each
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// Hash records, compared with openssl, rhash, hashdeep, sha256sum and find
    Hash {
        /// Number of small files
        #[arg(long, default_value_t = 100_000)]
        files: u32,
        /// Number of measurements of each
        #[arg(long, default_value_t = 3)]
        rounds: u32,
    },
    /// Answers with a cached thumbnail, compared with nginx sending the same file
    Hits {
        /// Duration of the requests for each address in a round, in seconds
        #[arg(long, default_value_t = 10)]
        seconds: u32,
        /// Number of rounds of each address
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// Kills of a server during every operation: acknowledged writes that are lost
    Kills {
        /// Number of kills
        #[arg(long, default_value_t = 1000)]
        count: u32,
    },
    /// Full-text search: recall compared with a scan; times, size and memory compared with SQLite's FTS5 and
    /// ripgrep; and the search for pictures in open folders
    Search {
        /// The numbers of pages; each is measured. Empty for none
        #[arg(long, default_value = "10000,100000")]
        pages: String,
        /// The number of queries
        #[arg(long, default_value_t = 10_000)]
        queries: u32,
        /// The number of pictures in all folders; 0 for no search for pictures
        #[arg(long, default_value_t = 100_000)]
        pictures: u32,
    },
    /// Durable writes: ratings, compared with files that are written and synced one by one; and bytes that the disk
    /// takes for a save, a rating and a thumbnail
    Writes {
        /// Number of pictures that are rated at once
        #[arg(long, default_value_t = 2000)]
        pictures: u32,
        /// Number of times that all are rated
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
    /// Cost of each operation at full size, compared with a tenth of it
    Scale(scale::ScaleBenchOptions),
    /// Time from a key press in the switcher to the painted results, compared with an empty query
    Switcher {
        /// Number of pages in the wiki
        #[arg(long, default_value_t = 100_000)]
        pages: u32,
        /// Number of times that everything is typed
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
}

#[derive(clap::Args)]
struct ArchiveBenchOptions {
    /// Number of pages in the wiki
    #[arg(long, default_value_t = 10_000)]
    pages: u32,
    /// Number of files of pages
    #[arg(long, default_value_t = 1000)]
    files: u32,
    /// Size of all files together, in bytes
    #[arg(long, default_value_t = 1_000_000_000)]
    bytes: u64,
    /// Number of measurements of each operation
    #[arg(long, default_value_t = 3)]
    rounds: u32,
}

pub(crate) fn run(options: &BenchTaskOptions) -> Result<()> {
    let profile = match options.dev {
        true => Profile::Dev,
        false => Profile::Release,
    };
    match &options.subject {
        BenchSubject::All(all) => all::run(all, options.dev),
        BenchSubject::Start { launches } => start(profile, *launches),
        BenchSubject::Size => dist::size::run(),
        BenchSubject::Wiki {
            pages,
            listed,
            rounds,
        } => wiki(profile, pages, *listed, *rounds),
        BenchSubject::Archive(options) => archive(profile, options),
        BenchSubject::Reading { pages, rounds } => {
            run_driver(profile, "bench_reading", *pages, *rounds, &[])
        }
        BenchSubject::Preview {
            pages,
            rounds,
            window,
        } => {
            let further: &[&str] = if *window { &["--window"] } else { &[] };
            run_driver(profile, "bench_preview", *pages, *rounds, further)
        }
        BenchSubject::Worker { rounds } => {
            tests_crate::alone(profile, "bench_worker", &["--rounds", &rounds.to_string()])
        }
        BenchSubject::Eviction { requests } => tests_crate::alone(
            profile,
            "bench_eviction",
            &["--requests", &requests.to_string()],
        ),
        BenchSubject::Thumbs { count, rounds } => thumbs(profile, *count, *rounds, &[]),
        BenchSubject::Formats { count, rounds } => thumbs(profile, *count, *rounds, &["--formats"]),
        BenchSubject::Export { count, rounds } => thumbs(profile, *count, *rounds, &["--exports"]),
        BenchSubject::Similar { pictures, rounds } => similar(profile, *pictures, *rounds),
        BenchSubject::Jpeg { count, rounds } => jpeg(profile, *count, *rounds),
        BenchSubject::Cache { files } => cache(profile, *files),
        BenchSubject::Folder { pictures, rounds } => folder(profile, *pictures, *rounds),
        BenchSubject::Limits { rounds } => {
            install::for_building()?;
            install::apt::ensure(&["redis-server", "redis-tools"])?;
            tests_crate::alone(profile, "bench_limits", &["--rounds", &rounds.to_string()])
        }
        BenchSubject::Ttl { rounds } => {
            install::for_building()?;
            tests_crate::alone(profile, "bench_ttl", &["--rounds", &rounds.to_string()])
        }
        BenchSubject::Hash { files, rounds } => hash(profile, *files, *rounds),
        BenchSubject::Hits { seconds, rounds } => hits(profile, *seconds, *rounds),
        BenchSubject::Kills { count } => kills(profile, *count),
        BenchSubject::Search {
            pages,
            queries,
            pictures,
        } => search(profile, pages, *queries, *pictures),
        BenchSubject::Writes { pictures, rounds } => writes(profile, *pictures, *rounds),
        BenchSubject::Scale(options) => scale::run(options, profile),
        BenchSubject::Switcher { pages, rounds } => {
            run_driver(profile, "bench_switcher", *pages, *rounds, &[])
        }
    }
}

fn writes(profile: Profile, pictures: u32, rounds: u32) -> Result<()> {
    install::for_building()?;
    build::programs(profile)?;
    let (pictures, rounds) = (pictures.to_string(), rounds.to_string());
    let options = ["--pictures", &pictures, "--rounds", &rounds];
    tests_crate::program("bench_writes", profile, &options)
}

fn kills(profile: Profile, count: u32) -> Result<()> {
    install::for_building()?;
    build::programs(profile)?;
    tests_crate::program("bench_kills", profile, &["--count", &count.to_string()])
}

fn wiki(profile: Profile, pages: &str, listed: u32, rounds: u32) -> Result<()> {
    let (listed, rounds) = (listed.to_string(), rounds.to_string());
    let options = ["--pages", pages, "--listed", &listed, "--rounds", &rounds];
    tests_crate::alone(profile, "bench_wiki", &options)
}

fn search(profile: Profile, pages: &str, queries: u32, pictures: u32) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(&["ripgrep"])?;
    build::programs(profile)?;
    let (queries, pictures) = (queries.to_string(), pictures.to_string());
    let mut options = vec!["--queries", &queries, "--pictures", &pictures];
    // An empty list of numbers is not read as one.
    match pages.is_empty() {
        true => options.push("--no-pages"),
        false => options.extend(["--pages", pages]),
    }
    tests_crate::optimized(profile, "bench_search", &options)
}

fn archive(profile: Profile, options: &ArchiveBenchOptions) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(&["restic", "unzip", "zip"])?;
    let ArchiveBenchOptions {
        pages,
        files,
        bytes,
        rounds,
    } = options;
    tests_crate::alone(
        profile,
        "bench_archive",
        &[
            "--pages",
            &pages.to_string(),
            "--files",
            &files.to_string(),
            "--bytes",
            &bytes.to_string(),
            "--rounds",
            &rounds.to_string(),
        ],
    )
}

/// Runs a program that drives the application on a wiki of `pages` pages.
fn run_driver(
    profile: Profile,
    program: &str,
    pages: u32,
    rounds: u32,
    further: &[&str],
) -> Result<()> {
    install::for_testing()?;
    build::programs(profile)?;
    let (pages, rounds) = (pages.to_string(), rounds.to_string());
    let mut arguments = vec!["--pages", &pages, "--rounds", &rounds];
    arguments.extend(further);
    tests_crate::program(program, profile, &arguments)
}

/// Measures thumbnails. The photos are generated once and kept.
fn thumbs(profile: Profile, count: u32, rounds: u32, further: &[&str]) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(&["libvips-tools", "plasma-workspace-wallpapers"])?;
    build::programs(profile)?;
    let photos = paths::target().join("bench-photos");
    let (photos, count, rounds) = (
        photos.to_string_lossy(),
        count.to_string(),
        rounds.to_string(),
    );
    let mut arguments = vec!["--photos", &*photos, "--count", &count, "--rounds", &rounds];
    arguments.extend(further);
    tests_crate::program("bench_thumbs", profile, &arguments)
}

/// Measures the search for similar pictures among names of the same photos.
fn similar(profile: Profile, pictures: u32, rounds: u32) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(&["libvips-tools", "plasma-workspace-wallpapers"])?;
    build::programs(profile)?;
    let photos = paths::target().join("bench-photos");
    tests_crate::program(
        "bench_similar",
        profile,
        &[
            "--photos",
            &photos.to_string_lossy(),
            "--pictures",
            &pictures.to_string(),
            "--rounds",
            &rounds.to_string(),
        ],
    )
}

/// Measures the JPEG decoder on the same photos.
fn jpeg(profile: Profile, count: u32, rounds: u32) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(&[
        "libjpeg-turbo-progs",
        "libvips-tools",
        "plasma-workspace-wallpapers",
    ])?;
    let photos = paths::target().join("bench-photos");
    let (count, rounds) = (count.to_string(), rounds.to_string());
    tests_crate::alone(
        profile,
        "bench_jpeg",
        &[
            "--photos",
            &photos.to_string_lossy(),
            "--count",
            &count,
            "--rounds",
            &rounds,
        ],
    )
}

fn folder(profile: Profile, pictures: u32, rounds: u32) -> Result<()> {
    install::for_testing()?;
    install::apt::ensure(&["libvips-tools", "plasma-workspace-wallpapers"])?;
    build::programs(profile)?;
    let photos = paths::target().join("bench-photos");
    tests_crate::optimized(
        profile,
        "bench_folder",
        &[
            "--photos",
            &photos.to_string_lossy(),
            "--pictures",
            &pictures.to_string(),
            "--rounds",
            &rounds.to_string(),
        ],
    )
}

fn cache(profile: Profile, files: u32) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(&["wrk"])?;
    build::programs(profile)?;
    tests_crate::program("bench_cache", profile, &["--files", &files.to_string()])
}

/// Measures hash records. The files are generated once and kept.
fn hash(profile: Profile, files: u32, rounds: u32) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(&["hashdeep", "rhash", "openssl"])?;
    build::programs(profile)?;
    let folder = paths::target().join("bench-hash");
    tests_crate::optimized(
        profile,
        "bench_hash",
        &[
            "--folder",
            &folder.to_string_lossy(),
            "--files",
            &files.to_string(),
            "--rounds",
            &rounds.to_string(),
        ],
    )
}

fn hits(profile: Profile, seconds: u32, rounds: u32) -> Result<()> {
    install::for_building()?;
    install::apt::ensure(&["wrk"])?;
    let nginx = install::apt::unpack("nginx")?.join("usr/sbin/nginx");
    build::programs(profile)?;
    tests_crate::program(
        "bench_hits",
        profile,
        &[
            "--nginx",
            &nginx.to_string_lossy(),
            "--seconds",
            &seconds.to_string(),
            "--rounds",
            &rounds.to_string(),
        ],
    )
}

fn start(profile: Profile, launches: u32) -> Result<()> {
    install::for_testing()?;
    build::programs(profile)?;
    let blank = blank_window(profile)?;
    tests_crate::program(
        "bench_start",
        profile,
        &[
            "--blank",
            &blank.to_string_lossy(),
            "--launches",
            &launches.to_string(),
        ],
    )
}

/// Builds the blank window. It is outside the workspace, so that no other build pays for it, but uses the
/// workspace's dependency versions, so that both windows are comparable.
fn blank_window(profile: Profile) -> Result<PathBuf> {
    let dir = paths::root().join("xtask/blank-window");
    fs::copy(paths::root().join("Cargo.lock"), dir.join("Cargo.lock"))?;
    let mut cargo = command::cargo();
    cargo.current_dir(&dir).arg("build");
    if profile == Profile::Release {
        cargo.arg("--release");
    }
    command::show(cargo.arg("--target-dir").arg(paths::target()))?;
    Ok(profile.out_dir().join("blank-window"))
}
