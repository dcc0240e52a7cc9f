//! The texts and files of a source, with links to the paths of a plan.

use std::collections::HashMap;
use std::io::{self, Read as _};

use fumikura_convert::link::{Meaning, Target, mend};
use fumikura_wiki::{
    AssetPlan, ContentError, MigrationContents, MigrationCounts, MigrationPlan, MigrationRequest,
    PagePath, place_path,
};

use super::{PreparedImport, report};

const PIECE: usize = 64 * 1024;

pub(super) struct Contents<'c> {
    prepared: &'c PreparedImport,
    request: &'c MigrationRequest,
    notes: HashMap<&'c str, usize>,
    files: HashMap<&'c str, usize>,
}

impl<'c> Contents<'c> {
    pub(super) fn new(prepared: &'c PreparedImport, request: &'c MigrationRequest) -> Self {
        let notes = prepared.source.notes.iter().enumerate();
        let files = prepared.source.files.iter().enumerate();
        Self {
            prepared,
            request,
            notes: notes
                .map(|(number, note)| (&*note.origin, number))
                .collect(),
            files: files
                .map(|(number, file)| (&*file.origin, number))
                .collect(),
        }
    }

    /// Replaces the targets in a text of the page at `own`.
    pub(super) fn mended(&self, text: &str, own: &PagePath, plan: &MigrationPlan) -> String {
        mend(text, &mut |target| {
            Some(match target {
                Target::To(origin) => {
                    if let Some(number) = self.notes.get(origin.as_ref()) {
                        Meaning::Page(plan.pages[*number].path.to_string())
                    } else if let Some(number) = self.files.get(origin.as_ref()) {
                        Meaning::File(address(&plan.assets[*number], own))
                    } else if let Some(place) = self.prepared.skipped_notes.get(origin.as_ref()) {
                        Meaning::Page(place_path(&self.request.into, place).to_string())
                    } else {
                        // A skipped file: its name says what is missing.
                        let name = origin.rsplit('/').next().unwrap_or_default();
                        Meaning::File(format!("asset:{name}"))
                    }
                }
                Target::New(place) => {
                    let place: Vec<String> = place.split('/').map(str::to_owned).collect();
                    let path = place_path(&self.request.into, &place);
                    Meaning::Page(path.to_string())
                }
            })
        })
    }
}

fn address(asset: &AssetPlan, own: &PagePath) -> String {
    if asset.page == *own {
        return format!("asset:{}", asset.name);
    }
    let page = asset.page.as_str().trim_end_matches('/');
    format!("asset:{page}/{}", asset.name)
}

impl MigrationContents for Contents<'_> {
    fn text(&mut self, page: usize, plan: &MigrationPlan) -> Result<String, ContentError> {
        let text = self
            .prepared
            .spool
            .text(&self.prepared.source.notes[page].text)?;
        Ok(self.mended(&text, &plan.pages[page].path, plan))
    }

    fn file(
        &mut self,
        asset: usize,
        write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), ContentError> {
        let content = &self.prepared.source.files[asset].content;
        let mut reader = self.prepared.tree.open_content(content)?;
        let mut piece = vec![0; PIECE];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(length) => write(&piece[..length])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn report(&mut self, plan: &MigrationPlan, counts: &MigrationCounts) -> String {
        let text = report::text(self.prepared, plan, counts);
        self.mended(&text, &plan.report, plan)
    }
}
