//! A listing of all entries of the folder through the API, compared with `find`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fumikura_benches::Figure;
use fumikura_tests::stage::{Api, Home};
use fumikura_tests::times::Times;
use reqwest::Method;

use crate::{FolderOptions, forget, serve};

/// The maximum time of the whole listing, as a multiple of that of `find`.
const AIM: f64 = 1.3;
const PART: u32 = 1_000;

pub(crate) async fn measure(options: &FolderOptions, home: &Home, folder: &Path) -> Result<()> {
    let (mut first, mut whole, mut peer) = (Times::default(), Times::default(), Times::default());
    // The first round is not counted: it brings all data into the system's memory.
    for round in 0..=options.rounds {
        let mut finds = Times::default();
        finds.measure(|| find(folder))?;
        forget(home)?;
        let server = serve(home, folder).await?;
        let api = server.api()?;
        let roots = api.get("api/roots").await?;
        let root = roots[0]["id"].as_str().context("there is a root")?;
        let (one, all) = list(&api, root, options.pictures).await?;
        if round > 0 {
            peer.extend(&finds);
            first.push(one);
            whole.push(all);
        }
    }
    println!(
        "listing it for the first time, ms, medians of {}",
        options.rounds
    );
    println!("{:<28}{:>10.0}", "the first thousand", first.median());
    println!("{:<28}{:>10.0}", "all of it", whole.median());
    println!("{:<28}{:>10.0}", "find -printf", peer.median());
    let ratio = whole.median() / peer.median();
    let work = format!(
        "first listing of {} pictures, all fetched",
        options.pictures
    );
    Figure::new(work, ratio).to("find -printf").at_most(AIM);
    let work = "its first thousand";
    Figure::new(work, first.median()).unit("ms").without_aim();
    Ok(())
}

fn find(folder: &Path) -> Result<()> {
    let mut find = Command::new("find");
    find.arg(folder).args(["-printf", "%s %T@ %p\\n"]);
    let status = find.stdout(Stdio::null()).status()?;
    ensure!(status.success(), "find failed");
    Ok(())
}

/// Returns the times of the first part and of all parts, in milliseconds. Answers are not parsed: that is not
/// the server's work.
async fn list(api: &Api, root: &str, pictures: u32) -> Result<(f64, f64)> {
    let start = Instant::now();
    let ms = || start.elapsed().as_secs_f64() * 1000.0;
    let part = async |of: &str, offset: u32| -> Result<String> {
        let path = format!("api/folders?root={root}&limit={PART}&offset={offset}{of}");
        let answer = api.send(Method::GET, &path, &[], String::new()).await?;
        Ok(answer.error_for_status()?.text().await?)
    };
    let one = part("", 0).await?;
    let first = ms();
    let behind = one.split_once("\"listing\":\"").context("it has no id")?.1;
    let listing = behind.split('"').next().unwrap_or_default();
    ensure!(
        one.contains(&format!("\"total\":{pictures},")),
        "not all are there"
    );
    let of = format!("&listing={listing}");
    for offset in (PART..pictures).step_by(PART as usize) {
        let next = part(&of, offset).await?;
        ensure!(next.contains(listing), "the listing was forgotten");
    }
    Ok((first, ms()))
}
