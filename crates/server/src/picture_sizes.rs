//! How large the pictures of a page are, so that its text leaves room for those that are still to come.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fumikura_thumbs::Head;
use fumikura_wiki::{Asset, AssetContents, AssetError, AssetId, PageId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;

/// What every browser shows in a text, and what has a size before all of it is read. For what is not
/// shown, room would stay empty.
const SHOWN: [&str; 6] = [
    "image/avif",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/webp",
];
/// A page that has more has its size told for the first of them by name.
const MOST: usize = 256;
/// The text waits for this: what could not be looked at by then is looked at the next time.
const PATIENCE: Duration = Duration::from_millis(20);
/// Of how many pictures the sizes are remembered.
const REMEMBERED: usize = 1 << 16;

/// A picture among the files of a page.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PagePicture {
    file_name: String,
    /// Pixels, as the picture is shown.
    width: u32,
    /// Pixels, as the picture is shown.
    height: u32,
}

/// The sizes of pictures that were looked at; what an id stands for never changes.
#[derive(Default)]
pub(crate) struct PictureSizes {
    /// None where the file does not tell it.
    known: Mutex<HashMap<AssetId, Option<(u32, u32)>>>,
}

impl PictureSizes {
    fn get(&self, id: AssetId) -> Option<Option<(u32, u32)>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&id).copied()
    }

    fn put(&self, id: AssetId, size: Option<(u32, u32)>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(id, size);
    }
}

impl App {
    /// The pictures that are files of a page, by name, as far as their sizes are known. An extra: where
    /// they can't be listed, which is told where they are asked for, the page is read without.
    pub(crate) fn page_pictures(&self, page: PageId) -> Vec<PagePicture> {
        let began = Instant::now();
        let assets = match self.wiki.assets(page, false) {
            Ok(assets) => assets,
            // It has gone since.
            Err(AssetError::PageNotFound) => return Vec::new(),
            Err(error) => {
                tracing::warn!(%page, "the pictures of a page can't be listed: {error}");
                return Vec::new();
            }
        };
        // One at least, however slow the disk: in the end all are known.
        let mut looked = false;
        let pictures = assets.iter().filter(|asset| is_shown(asset)).take(MOST);
        let sized = pictures.filter_map(|asset| {
            let (width, height) = match self.picture_sizes.get(asset.id) {
                Some(size) => size?,
                None if !looked || began.elapsed() < PATIENCE => {
                    looked = true;
                    self.look_at(asset.id)?
                }
                None => return None,
            };
            Some(PagePicture {
                file_name: asset.file_name.to_string(),
                width,
                height,
            })
        });
        sized.collect()
    }

    /// An extra: a file that can't be read says so when it is asked for itself.
    fn look_at(&self, id: AssetId) -> Option<(u32, u32)> {
        let AssetContents { file, asset } = self.wiki.open_asset(id).ok()?;
        let head = Head::read(file, asset.size);
        let size = head.map(|head| (head.width, head.height));
        self.picture_sizes.put(id, size);
        size
    }
}

fn is_shown(asset: &Asset) -> bool {
    SHOWN.contains(&asset.mime.as_str())
}
