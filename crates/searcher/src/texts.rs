//! The texts of pages, read from the store, with a cache of those that were read last.

use std::collections::HashMap;
use std::sync::Arc;

use fumikura_search::{PageKey, PageText, extract};
use fumikura_wiki::{PageId, StorageError, Wiki};
use parking_lot::Mutex;

/// The maximum memory of the cached texts, in bytes.
const MAX_BYTES: usize = 64 << 20;

#[derive(Default)]
pub(crate) struct Texts(Mutex<TextCache>);

#[derive(Default)]
struct TextCache {
    texts: HashMap<PageKey, (u64, Arc<PageText>)>,
    bytes: usize,
}

impl Texts {
    /// Returns the visible text of the newest revision; `None` if the page is gone.
    pub(crate) fn get(
        &self,
        wiki: &Wiki,
        key: &PageKey,
        version: u64,
    ) -> Result<Option<Arc<PageText>>, StorageError> {
        let cached = {
            let cache = self.0.lock();
            cache.texts.get(key).cloned()
        };
        if let Some((cached, text)) = cached
            && cached == version
        {
            return Ok(Some(text));
        }
        let Some(text) = read(wiki, key, None)? else {
            return Ok(None);
        };
        let text = Arc::new(text);
        let mut cache = self.0.lock();
        cache.put(*key, version, &text);
        Ok(Some(text))
    }
}

impl TextCache {
    fn put(&mut self, key: PageKey, version: u64, text: &Arc<PageText>) {
        let bytes = text.memory();
        if self.bytes + bytes > MAX_BYTES {
            self.texts.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        if let Some((_, old)) = self.texts.insert(key, (version, Arc::clone(text))) {
            self.bytes = self.bytes.saturating_sub(old.memory());
        }
    }
}

/// Reads the visible text of a revision of a page, or of the newest one.
pub(crate) fn read(
    wiki: &Wiki,
    key: &PageKey,
    revision: Option<u64>,
) -> Result<Option<PageText>, StorageError> {
    let text = wiki.search().text(PageId::from_bytes(*key), revision)?;
    Ok(text.map(|text| extract(&text.source).with_title(text.title)))
}
