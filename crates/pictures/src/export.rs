//! Export of pictures: with their turns and crops, in another format and size, as new files.

use fumikura_fileops::{FileError, NewFiles};
use fumikura_fs::Source;
use fumikura_image::{Crop, Head, KeptMetadata, Rendition, RenditionFormat, Turn, embed_xmp};
use fumikura_library::{embedded_date, shown_crop};
use fumikura_thumbs::ThumbError;
use fumikura_xmp::{CaptionChange, Marks, MarksChange, RatingChange, TagsChange, TakenChange};
use jiff::civil::DateTime;

use crate::pictures::{MarkError, Pictures};

/// The wrapper of XMP within a file (ISO 16684-1, 7.3.2), in place of the declaration of XML.
const PACKET_BEGIN: &str = "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n";
const PACKET_END: &[u8] = b"<?xpacket end=\"r\"?>";

/// The quality of pictures for paper.
const PRINT_QUALITY: u8 = 88;

/// An error of exporting a picture. There is no part of its new file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The sidecar can't be read.
    #[error(transparent)]
    Marks(#[from] MarkError),
    /// The picture can't be converted.
    #[error(transparent)]
    Rendition(#[from] ThumbError),
    /// The new file can't be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The name of the new file needs the date on which the picture was taken.
    #[error("the date taken is unknown")]
    Undated,
}

impl ExportError {
    /// Returns true if all remaining pictures would fail in the same way.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::File(error) if error.is_final())
    }
}

/// The facts about a picture that are printed below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PictureFacts {
    /// The date on which it was taken, by the clock of its place.
    pub taken: Option<DateTime>,
    /// 1 to 5 stars.
    pub stars: Option<usize>,
    pub caption: Option<String>,
}

impl Pictures {
    /// Writes a rendition of a picture as a new file, turned, cropped and dated as its sidecar says, and returns the name
    /// of the file. It has the picture's rating, tags and caption in itself, if it keeps metadata. If the name is taken,
    /// another one is made of it if `numbered`. No existing file changes.
    ///
    /// # Errors
    /// [`ExportError`]
    pub fn export(
        &self,
        picture: &Source,
        rendition: Rendition,
        target: &NewFiles<'_>,
        (name, numbered): (&str, bool),
    ) -> Result<Vec<u8>, ExportError> {
        // Before the work of decoding.
        target.check(name, numbered)?;
        let marks = self.marks_joined(picture)?.shown();
        let (turn, crop) = edits_of(picture, &marks)?;
        let rendition = Rendition {
            turn,
            crop,
            taken: marks.taken,
            ..rendition
        };
        let mut contents = self.thumbs().render(picture, rendition)?;
        if rendition.metadata != KeptMetadata::None
            && let Some(packet) = packet_of(marks)?
        {
            let embedded = embed_xmp(contents, rendition.format, &packet);
            contents = embedded.map_err(ThumbError::from)?;
        }
        Ok(target.create(name, &contents, numbered)?)
    }

    /// Returns a JPEG of a picture for paper, turned and cropped as its sidecar says and in sRGB, with a longer side of at most
    /// `edge` pixels.
    ///
    /// # Errors
    /// [`ExportError`]
    pub fn print(&self, picture: &Source, edge: u32) -> Result<Vec<u8>, ExportError> {
        let marks = self.marks_joined(picture)?.shown();
        let (turn, crop) = edits_of(picture, &marks)?;
        let rendition = Rendition {
            turn,
            crop,
            edge: Some(edge),
            format: RenditionFormat::Jpeg,
            quality: PRINT_QUALITY,
            sharpens: true,
            metadata: KeptMetadata::None,
            taken: None,
        };
        Ok(self.thumbs().render(picture, rendition)?)
    }

    /// Returns the date on which a picture was taken, as its sidecar or the picture itself says.
    ///
    /// # Errors
    /// [`ExportError`], also if it is unknown.
    pub fn date_taken(&self, picture: &Source) -> Result<DateTime, ExportError> {
        let marks = self.marks_joined(picture)?.shown();
        taken_of(picture, &marks)?.ok_or(ExportError::Undated)
    }

    /// Returns what is printed below a picture.
    ///
    /// # Errors
    /// [`ExportError`]
    pub fn facts(&self, picture: &Source) -> Result<PictureFacts, ExportError> {
        let marks = self.marks_joined(picture)?.shown();
        let taken = taken_of(picture, &marks)?;
        let stars = marks.rating.map(|rating| rating.number());
        Ok(PictureFacts {
            taken,
            // A rejected picture has no stars.
            stars: stars.and_then(|stars| usize::try_from(stars).ok()),
            caption: marks.caption,
        })
    }
}

/// Returns the date on which a picture was taken, if it is known.
fn taken_of(picture: &Source, marks: &Marks) -> Result<Option<DateTime>, ExportError> {
    if marks.taken.is_some() {
        return Ok(marks.taken);
    }
    let (file, source_file) = picture.open().map_err(ThumbError::from)?;
    Ok(embedded_date(file, source_file.stat().size))
}

/// Returns the turn from the orientation of a picture's file to that of its sidecar, and the part of the picture that its
/// sidecar shows.
fn edits_of(picture: &Source, marks: &Marks) -> Result<(Turn, Option<Crop>), ExportError> {
    let stated = marks.orientation.and_then(Turn::of_number);
    if stated.is_none() && marks.crop.is_none() {
        return Ok((Turn::NONE, None));
    }
    let (file, source_file) = picture.open().map_err(ThumbError::from)?;
    let Some(head) = Head::read(file, source_file.stat().size) else {
        return Ok((Turn::NONE, None));
    };
    let turn = match (Turn::of_number(head.orientation), stated) {
        (Some(own), Some(stated)) => own.inverse().then(stated),
        _ => Turn::NONE,
    };
    Ok((turn, shown_crop(head, marks)))
}

/// Returns the marks as XMP for a new file, whose pixels are upright and cropped; `None` if there are none.
fn packet_of(marks: Marks) -> Result<Option<Vec<u8>>, ExportError> {
    let marks = Marks {
        orientation: None,
        crop: None,
        ..marks
    };
    if marks == Marks::default() {
        return Ok(None);
    }
    let change = MarksChange {
        rating: marks.rating.map_or(RatingChange::Keep, RatingChange::Set),
        tags: TagsChange::Set(marks.tags),
        caption: marks
            .caption
            .map_or(CaptionChange::Keep, CaptionChange::Set),
        taken: marks.taken.map_or(TakenChange::Keep, TakenChange::Set),
        ..MarksChange::default()
    };
    let sidecar = fumikura_xmp::edit(None, &change, &Marks::default()).map_err(MarkError::from)?;
    let start = sidecar.windows(2).position(|two| two == b"<x");
    let (_declaration, packet) = sidecar.split_at(start.unwrap_or(0));
    Ok(Some([PACKET_BEGIN.as_bytes(), packet, PACKET_END].concat()))
}
