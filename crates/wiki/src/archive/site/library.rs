//! The pages and files of a site, and their addresses as seen from a page.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::{Read as _, Seek, SeekFrom};
use std::ops::Range;

use super::chrome::relative;
use super::thumbnail_entry;
use crate::archive::manifest::{AssetEntry, PageEntry};
use crate::assets::Asset;
use crate::catalogue::{CataloguedPage, tags_of};
use crate::html::{EmbeddedPage, LinkTarget, PictureFile, Surroundings};
use crate::id::{AssetId, PageId};
use crate::links::{self, Meaning, meaning};
use crate::path::PagePath;
use crate::properties::Properties;
use crate::store::StorageError;

pub(super) struct SitePage {
    pub(super) entry: PageEntry,
    pub(super) title: Option<String>,
    /// The place of its text in the file of texts.
    pub(super) text: Range<u64>,
}

pub(super) struct Library {
    pub(super) pages: Vec<SitePage>,
    pub(super) files: Vec<(Asset, AssetEntry)>,
    paths: Vec<PagePath>,
    by_path: HashMap<PagePath, usize>,
    by_id: HashMap<PageId, usize>,
    /// The pages directly below each page, in the order of their paths.
    below: HashMap<PagePath, Vec<usize>>,
    /// The files of each page, by its id.
    files_of: HashMap<PageId, Vec<usize>>,
    /// The pages that link to each page.
    linking: Vec<BTreeSet<usize>>,
    thumbnails: HashSet<AssetId>,
    texts: File,
    /// The properties and tags of each page.
    pub(super) catalogued: Vec<CataloguedPage>,
}

impl Library {
    pub(super) fn new(
        pages: Vec<SitePage>,
        files: Vec<(Asset, AssetEntry)>,
        thumbnails: HashSet<AssetId>,
        texts: File,
    ) -> Self {
        let path = |page: &SitePage| {
            PagePath::new(&page.entry.path).expect("BUG: the path of a page was read as one")
        };
        let paths: Vec<PagePath> = pages.iter().map(path).collect();
        let numbered = |(index, path): (usize, &PagePath)| (path.clone(), index);
        let mut files_of: HashMap<PageId, Vec<usize>> = HashMap::new();
        for (index, (_, entry)) in files.iter().enumerate() {
            files_of.entry(entry.page).or_default().push(index);
        }
        let mut order: Vec<usize> = (0..paths.len()).collect();
        order.sort_by_key(|index| &paths[*index]);
        let mut below: HashMap<PagePath, Vec<usize>> = HashMap::new();
        for index in order {
            if let Some(parent) = paths[index].parent() {
                below.entry(parent).or_default().push(index);
            }
        }
        Self {
            below,
            by_path: paths.iter().enumerate().map(numbered).collect(),
            by_id: (pages.iter().enumerate())
                .map(|(index, page)| (page.entry.id, index))
                .collect(),
            linking: vec![BTreeSet::new(); pages.len()],
            pages,
            files,
            paths,
            files_of,
            thumbnails,
            texts,
            catalogued: Vec::new(),
        }
    }

    pub(super) fn path(&self, index: usize) -> &PagePath {
        &self.paths[index]
    }

    pub(super) fn by_path(&self, path: &PagePath) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// Returns the pages directly below a page.
    pub(super) fn below(&self, index: usize) -> &[usize] {
        let below = self.below.get(self.path(index));
        below.map_or(&[], Vec::as_slice)
    }

    /// Returns the pages that link to a page.
    pub(super) fn linking(&self, index: usize) -> impl Iterator<Item = usize> {
        self.linking[index].iter().copied()
    }

    /// Reads which page links to which, and the properties and tags of each.
    pub(super) fn read_texts(&mut self) -> Result<(), StorageError> {
        for index in 0..self.pages.len() {
            let text = self.text(index)?;
            let SitePage { entry, title, .. } = &self.pages[index];
            let properties = Properties::read(&text).items;
            self.catalogued.push(CataloguedPage {
                page_id: entry.id,
                path: self.path(index).clone(),
                title: title.clone(),
                updated: entry.updated_at,
                user_name: entry.user_name.clone(),
                tags: tags_of(&text, &properties),
                properties,
            });
            let base = self.path(index).clone();
            for link in links::scan(&text) {
                if let Some(target) = self.page(&base, &link.value)
                    && target != index
                {
                    self.linking[target].insert(index);
                }
            }
        }
        Ok(())
    }

    pub(super) fn page(&self, base: &PagePath, destination: &str) -> Option<usize> {
        match meaning(destination, base) {
            Meaning::Path(path) => self.by_path(&path),
            Meaning::Page(id) => self.by_id.get(&id).copied(),
            Meaning::Asset(..) | Meaning::Other => None,
        }
    }

    /// Returns the files of a page.
    pub(super) fn files_of(&self, page: PageId) -> impl Iterator<Item = &(Asset, AssetEntry)> {
        let files = self.files_of.get(&page).map_or(&[][..], Vec::as_slice);
        files.iter().map(|index| &self.files[*index])
    }

    /// Returns the title of a page, or else its name.
    pub(super) fn title(&self, index: usize) -> &str {
        let name = || match self.path(index).name() {
            "" => "/",
            name => name,
        };
        self.pages[index].title.as_deref().unwrap_or_else(name)
    }

    pub(super) fn text(&mut self, index: usize) -> Result<String, StorageError> {
        let Range { start, end } = self.pages[index].text;
        self.texts.seek(SeekFrom::Start(start))?;
        let mut text = String::new();
        (&mut self.texts)
            .take(end - start)
            .read_to_string(&mut text)?;
        Ok(text)
    }

    /// Returns the surroundings of a page.
    pub(super) fn seen_from(&mut self, index: usize) -> SeenFrom<'_> {
        let entry = self.pages[index].entry.file.clone();
        SeenFrom { site: self, entry }
    }
}

pub(super) struct SeenFrom<'l> {
    pub(super) site: &'l mut Library,
    /// The entry of the page that is written.
    entry: String,
}

impl SeenFrom<'_> {
    fn file(&self, base: &PagePath, destination: &str) -> Option<&(Asset, AssetEntry)> {
        let Meaning::Asset(owner, name) = meaning(destination, base) else {
            return None;
        };
        let owner = self.site.by_path(&owner)?;
        let owner = self.site.pages[owner].entry.id;
        let mut files = self.site.files_of(owner);
        files.find(|(_, entry)| entry.file_name == name)
    }

    pub(super) fn address(&self, entry: &str) -> String {
        relative(&self.entry, entry)
    }
}

impl Surroundings for SeenFrom<'_> {
    type Error = StorageError;

    fn link(
        &mut self,
        base: &PagePath,
        destination: &str,
    ) -> Result<Option<LinkTarget>, StorageError> {
        if let Some((_, entry)) = self.file(base, destination) {
            return Ok(Some(LinkTarget {
                address: Some(self.address(&entry.file)),
                title: entry.file_name.clone(),
            }));
        }
        let target = self.site.page(base, destination).map(|index| LinkTarget {
            address: Some(self.address(&self.site.pages[index].entry.file)),
            title: self.site.title(index).to_owned(),
        });
        Ok(target)
    }

    fn picture(
        &mut self,
        base: &PagePath,
        file: &str,
    ) -> Result<Option<PictureFile>, StorageError> {
        let Some((asset, entry)) = self.file(base, file) else {
            return Ok(None);
        };
        if !asset.mime.starts_with("image/") {
            return Ok(None);
        }
        let original = self.address(&entry.file);
        let has_thumbnail = self.site.thumbnails.contains(&asset.id);
        Ok(Some(match has_thumbnail {
            true => PictureFile {
                address: self.address(&thumbnail_entry(asset.id)),
                original: Some(original),
            },
            false => PictureFile {
                address: original,
                original: None,
            },
        }))
    }

    fn embedded(
        &mut self,
        base: &PagePath,
        destination: &str,
    ) -> Result<Option<EmbeddedPage>, StorageError> {
        let Some(index) = self.site.page(base, destination) else {
            return Ok(None);
        };
        Ok(Some(EmbeddedPage {
            path: self.site.path(index).clone(),
            source: self.site.text(index)?,
        }))
    }

    fn page_list(
        &mut self,
        base: &PagePath,
        source: &str,
        is_japanese: bool,
    ) -> Result<Option<String>, StorageError> {
        self.table(base, source, is_japanese).map(Some)
    }
}
