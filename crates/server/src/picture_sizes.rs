//! The sizes of a page's pictures, so that its text reserves space for pictures that are still loading.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use fumikura_image::Head;
use fumikura_wiki::{Asset, AssetContents, AssetError, AssetId, PageId, Wiki};
use parking_lot::Mutex;
use serde::Serialize;
use utoipa::ToSchema;

/// The formats that every browser shows in a text, and whose size is known before the whole file is read. For
/// a picture that is not shown, the reserved space would stay empty.
const DISPLAYABLE_TYPES: [&str; 6] = [
    "image/avif",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/webp",
];
/// The maximum number of pictures of a page whose sizes are returned, first by name.
const MAX_PICTURES: usize = 256;
/// The time for which the text waits for sizes. Remaining pictures are read the next time.
const WAIT_LIMIT: Duration = Duration::from_millis(20);
/// The number of pictures whose sizes are kept.
const MAX_SIZES: usize = 1 << 16;

/// A picture among the files of a page.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct PagePicture {
    file_name: String,
    /// The width in pixels, as the picture is shown.
    width: u32,
    /// The height in pixels, as the picture is shown.
    height: u32,
}

/// The known sizes of pictures. The contents of an id never change.
#[derive(Default)]
pub(crate) struct PictureSizes {
    /// `None` if the file does not contain its size.
    sizes: Mutex<HashMap<AssetId, Option<(u32, u32)>>>,
}

impl PictureSizes {
    fn get(&self, id: AssetId) -> Option<Option<(u32, u32)>> {
        let sizes = self.sizes.lock();
        sizes.get(&id).copied()
    }

    fn put(&self, id: AssetId, size: Option<(u32, u32)>) {
        let mut sizes = self.sizes.lock();
        if sizes.len() >= MAX_SIZES {
            sizes.clear();
        }
        sizes.insert(id, size);
    }

    /// Returns the pictures among a page's files, by name, as far as their sizes are known. Optional: if they
    /// can't be listed, the page is shown without them; the request for the list reports the error.
    pub(crate) fn of_page(&self, wiki: &Wiki, page: PageId) -> Vec<PagePicture> {
        let assets = match wiki.assets().of_page(page, false) {
            Ok(assets) => assets,
            // The page was deleted meanwhile.
            Err(AssetError::PageNotFound) => return Vec::new(),
            Err(error) => {
                tracing::warn!(%page, "the pictures of a page can't be listed: {error}");
                return Vec::new();
            }
        };
        self.of_files(wiki, &assets)
    }

    /// Returns the pictures among files, as far as their sizes are known.
    pub(crate) fn of_files(&self, wiki: &Wiki, assets: &[Asset]) -> Vec<PagePicture> {
        let began = Instant::now();
        // At least one is read, however slow the disk, so that all are known in the end.
        let mut looked = false;
        let pictures = assets
            .iter()
            .filter(|asset| is_shown(asset))
            .take(MAX_PICTURES);
        let sized = pictures.filter_map(|asset| {
            let (width, height) = match self.get(asset.id) {
                Some(size) => size?,
                None if !looked || began.elapsed() < WAIT_LIMIT => {
                    looked = true;
                    self.read(wiki, asset.id)?
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

    /// Reads a picture's size. Optional: the request for an unreadable file reports the error.
    fn read(&self, wiki: &Wiki, id: AssetId) -> Option<(u32, u32)> {
        let AssetContents { file, asset } = wiki.assets().open(id).ok()?;
        let head = Head::read(file, asset.size);
        let size = head.map(|head| (head.width, head.height));
        self.put(id, size);
        size
    }
}

fn is_shown(asset: &Asset) -> bool {
    DISPLAYABLE_TYPES.contains(&asset.mime.as_str())
}
