//! Thumbnails in the cache, and their expiry.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::{SeededEntropy, random_bytes};
use fumikura_fs::Source;
use fumikura_image::Variant;
use fumikura_pictures::{Config, Pictures};
use fumikura_tests::large_cache;
use fumikura_thumbs::{BytesResponse, Capacity, Priority};
use fumikura_ttl::{ArtifactKey, Index, IndexFile, Kind, Policy};
use jiff::{SignedDuration, Timestamp};

use crate::Costs;

/// Makes a cache with this number of thumbnails, and measures it.
pub(crate) fn measure(count: u32, rounds: usize) -> Result<Costs> {
    let mut costs = Costs::default();
    cache(&mut costs, count, rounds)?;
    expiry(&mut costs, count)?;
    Ok(costs)
}

fn cache(costs: &mut Costs, count: u32, rounds: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let photos = folder.path().join("pictures");
    fs::create_dir(&photos)?;
    for number in 0..rounds {
        let shade = u8::try_from(number % 256)?;
        let picture = image::RgbImage::from_pixel(320, 240, image::Rgb([shade, 2, 3]));
        picture.save(photos.join(format!("{number}.png")))?;
    }
    // The first start marks the folder.
    drop(open(folder.path(), Capacity::default())?);
    let bytes = large_cache::fill(&folder.path().join("thumbs"), count)?;
    // A small cache is below the smallest limit: nothing is evicted from it.
    let limit = Capacity::new(large_cache::limit_for(bytes), 0.9, 0.75);
    let capacity = limit.unwrap_or_default();
    costs.measure("start", 3, |_| open(folder.path(), capacity))?;
    let began = Instant::now();
    let pictures = open(folder.path(), capacity)?;
    while pictures.thumbs().cache_stats().scanning {
        thread::sleep(Duration::from_millis(1));
    }
    costs.per_item(
        "count after the start, for each thumbnail",
        began,
        count.into(),
    );
    let root = pictures.roots().add(&photos)?;
    let source = |round: usize| {
        pictures
            .roots()
            .source(root.id(), format!("{round}.png").as_bytes())
    };
    costs.measure("thumbnail made and stored", rounds, |round| {
        request(&pictures, &source(round)?)
    })?;
    costs.measure("thumbnail found on the disk", rounds, |round| {
        let found = source(round)?.find()?;
        let requested =
            pictures
                .thumbs()
                .request_bytes(&found, Variant::default(), Priority::Visible);
        let BytesResponse::Ready(bytes) = requested else {
            bail!("the thumbnail is not in the cache");
        };
        Ok(bytes)
    })?;
    if limit.is_none() {
        return Ok(());
    }
    let began = Instant::now();
    let evicted = pictures.thumbs().evict(&mut |_| true)?;
    ensure!(evicted.files > 0, "nothing was evicted");
    costs.per_item("eviction of a thumbnail", began, evicted.files);
    Ok(())
}

/// Opens the cache, without thumbnails in memory.
fn open(folder: &Path, capacity: Capacity) -> Result<Pictures> {
    let mut config = Config::new(
        folder.join("thumbs"),
        folder.join("folders"),
        folder.join("roots.json"),
    );
    config.memory = 0;
    config.capacity = capacity;
    let clock = Arc::new(SystemClock::new());
    Ok(Pictures::open(
        config,
        clock,
        Arc::new(SeededEntropy::new(1)),
    )?)
}

fn request(pictures: &Pictures, source: &Source) -> Result<()> {
    let found = source.find()?;
    let ticket = pictures
        .thumbs()
        .request_wait(&found, Variant::default(), Priority::Visible);
    ticket.wait()?;
    Ok(())
}

/// Measures the index of expiry. A tenth of the thumbnails were last read a hundred days ago.
fn expiry(costs: &mut Costs, count: u32) -> Result<()> {
    let entropy = SeededEntropy::new(1);
    let now = Timestamp::now();
    let long_ago = now - SignedDuration::from_hours(24 * 100);
    let mut index = Index::default();
    let key = || ArtifactKey {
        id: random_bytes(&entropy),
        variant: Variant::default().number(),
    };
    let keys: Vec<_> = (0..count).map(|_| key()).collect();
    for (number, key) in keys.iter().enumerate() {
        let read = match number.is_multiple_of(10) {
            true => long_ago,
            false => now,
        };
        index.record(*key, Kind::Blob, "root", 5000, read);
    }
    let folder = tempfile::tempdir()?;
    let mut file = IndexFile::new(folder.path().to_owned());
    let save = file.prepare(&mut index);
    file.write(save)?;
    let began = Instant::now();
    let mut index = file.load()?;
    costs.per_item(
        "index of expiry loaded, for each thumbnail",
        began,
        count.into(),
    );
    costs.measure("read noted in the index of expiry", 10_000, |round| {
        Ok(index
            .touch(keys[(round * 10 + 1) % keys.len()], now)
            .is_some())
    })?;
    let began = Instant::now();
    let policy = Policy::new(true, 90).ok();
    let mut run = index.begin_marking(|_| policy, now);
    while index.mark_some(&mut run) {}
    costs.per_item("pass of expiry, for each thumbnail", began, count.into());
    ensure!(run.blobs == u64::from(count.div_ceil(10)), "{}", run.blobs);
    let began = Instant::now();
    let mut ended = 0;
    while ended < 10_000
        && let Some(cleanup) = index.next_cleanup(|_| true, now)
    {
        ensure!(index.confirm_cleanup(&cleanup), "it was read");
        index.end_cleanup(cleanup, Ok(()), now);
        ended += 1;
    }
    costs.per_item("removal of an expired thumbnail in the index", began, ended);
    Ok(())
}
