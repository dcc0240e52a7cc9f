//! A contact sheet that is written page by page.

use std::io::{self, Write};

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Chunk, Content, Filter, Finish, Name, Rect, Ref, Str};

use crate::font::Font;
use crate::jpeg;
use crate::layout::{Area, CAPTION, Layout, TITLE};
use crate::pdf::PdfFile;

/// The name of the font in the resources of pages, and of the subset.
const FONT: Name<'static> = Name(b"F");
const SUBSET: Name<'static> = Name(b"FUMIKR+Caption");
const SYSTEM: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};
/// The shades of text and of the frames of missing pictures: 0 is black.
const INK: f32 = 0.15;
const FAINT: f32 = 0.7;

/// A picture and its caption.
pub struct Cell<'a> {
    /// A JPEG, upright and in sRGB; `None` for a frame in the place of a picture that can't be shown.
    pub jpeg: Option<&'a [u8]>,
    /// The lines below it. Those that are too long are shortened; further ones than the layout has are left out.
    pub lines: &'a [String],
}

/// A sheet that is being written.
pub struct Sheet<W> {
    file: PdfFile<W>,
    layout: Layout,
    font: Option<Font>,
    title: String,
    /// The number of all pages.
    pages: usize,
    catalogue: Ref,
    tree: Ref,
    font_id: Ref,
    written: Vec<Ref>,
    current: Page,
}

/// The page that is being filled.
struct Page {
    content: Content,
    images: Vec<Ref>,
    filled: usize,
}

impl Page {
    fn new() -> Self {
        Self {
            content: Content::new(),
            images: Vec::new(),
            filled: 0,
        }
    }
}

impl<W: Write> Sheet<W> {
    /// Begins a sheet of a number of pictures. Without a font it has no text. The title is that of the document, too.
    ///
    /// # Errors
    /// Errors of the writer, here and below.
    pub fn new(
        out: W,
        layout: Layout,
        font: Option<Font>,
        title: &str,
        total: usize,
    ) -> io::Result<Self> {
        let mut file = PdfFile::new(out)?;
        let (catalogue, tree, font_id) = (file.reserve(), file.reserve(), file.reserve());
        Ok(Self {
            file,
            layout,
            font,
            title: title.to_owned(),
            pages: layout.pages(total),
            catalogue,
            tree,
            font_id,
            written: Vec::new(),
            current: Page::new(),
        })
    }

    /// Adds a picture in reading order.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn add(&mut self, cell: &Cell<'_>) -> io::Result<()> {
        if self.current.filled == self.layout.per_page() {
            self.end_page()?;
        }
        if self.current.filled == 0 {
            self.begin_page();
        }
        let area = self.layout.area(self.current.filled);
        self.current.filled += 1;
        match cell.jpeg.and_then(|jpeg| Some((jpeg, jpeg::head(jpeg)?))) {
            Some((jpeg, head)) => self.picture(area, jpeg, head)?,
            None => self.frame(area),
        }
        for (at, line) in cell.lines.iter().take(self.layout.lines()).enumerate() {
            let baseline = Layout::caption_line(area, at);
            self.text(line, CAPTION, (area.x, baseline, area.width), Align::Middle);
        }
        Ok(())
    }

    /// Completes the file, and returns the writer.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        if self.current.filled > 0 {
            self.end_page()?;
        }
        self.write_font()?;
        let mut chunk = Chunk::new();
        chunk
            .pages(self.tree)
            .kids(self.written.iter().copied())
            .count(i32::try_from(self.written.len()).unwrap_or(i32::MAX));
        self.file.object(self.tree, &chunk)?;
        let mut chunk = Chunk::new();
        let mut catalogue = chunk
            .indirect(self.catalogue)
            .start::<pdf_writer::writers::Catalog>();
        catalogue.pages(self.tree);
        catalogue.finish();
        self.file.object(self.catalogue, &chunk)?;
        self.file.finish(self.catalogue)
    }

    fn begin_page(&mut self) {
        let title = self.title.clone();
        if self.layout.has_title() {
            self.text(&title, TITLE, self.layout.title(), Align::Start);
        }
        if self.layout.has_numbers() {
            let number = format!("{} / {}", self.written.len() + 1, self.pages);
            let (x, _, width) = self.layout.title();
            self.text(
                &number,
                CAPTION,
                (x, self.layout.number(), width),
                Align::Middle,
            );
        }
    }

    fn end_page(&mut self) -> io::Result<()> {
        let Page {
            content, images, ..
        } = std::mem::replace(&mut self.current, Page::new());
        let (id, content_id) = (self.file.reserve(), self.file.reserve());
        let mut chunk = Chunk::new();
        let content = content.finish();
        chunk.stream(content_id, &content);
        self.file.object(content_id, &chunk)?;
        let mut chunk = Chunk::new();
        let mut page = chunk.page(id);
        let (width, height) = self.layout.page;
        page.parent(self.tree)
            .media_box(Rect::new(0.0, 0.0, width, height))
            .contents(content_id);
        let mut resources = page.resources();
        if self.font.is_some() {
            resources.fonts().pair(FONT, self.font_id);
        }
        let mut named = resources.x_objects();
        for (at, image) in images.iter().enumerate() {
            named.pair(Name(name_of(at).as_bytes()), *image);
        }
        named.finish();
        resources.finish();
        page.finish();
        self.file.object(id, &chunk)?;
        self.written.push(id);
        Ok(())
    }

    /// Draws a picture as large as possible in the middle of its box.
    fn picture(&mut self, area: Area, jpeg: &[u8], head: jpeg::JpegHead) -> io::Result<()> {
        let id = self.file.reserve();
        let mut chunk = Chunk::new();
        let mut image = chunk.image_xobject(id, jpeg);
        image.filter(Filter::DctDecode);
        image
            .width(head.width.into())
            .height(head.height.into())
            .bits_per_component(8);
        if head.is_grey {
            image.color_space().device_gray();
        } else {
            image.color_space().device_rgb();
        }
        image.finish();
        self.file.object(id, &chunk)?;
        let (width, height) = (f32::from(head.width), f32::from(head.height));
        let scale = (area.width / width).min(area.height / height);
        let (width, height) = (width * scale, height * scale);
        let (x, y) = (
            area.x + (area.width - width) / 2.0,
            area.y + (area.height - height) / 2.0,
        );
        let name = name_of(self.current.images.len());
        self.current.images.push(id);
        self.current
            .content
            .save_state()
            .transform([width, 0.0, 0.0, height, x, y])
            .x_object(Name(name.as_bytes()))
            .restore_state();
        Ok(())
    }

    fn frame(&mut self, area: Area) {
        self.current
            .content
            .save_state()
            .set_stroke_gray(FAINT)
            .set_line_width(0.5)
            .rect(area.x, area.y, area.width, area.height)
            .move_to(area.x, area.y)
            .line_to(area.x + area.width, area.y + area.height)
            .stroke()
            .restore_state();
    }

    fn text(&mut self, text: &str, size: f32, (x, baseline, width): (f32, f32, f32), align: Align) {
        let Some(font) = &mut self.font else {
            return;
        };
        let (codes, needed) = font.set(text, size, width);
        let x = match align {
            Align::Start => x,
            Align::Middle => x + (width - needed) / 2.0,
        };
        self.current
            .content
            .begin_text()
            .set_fill_gray(INK)
            .set_font(FONT, size)
            .next_line(x, baseline)
            .show(Str(&codes))
            .end_text();
    }

    /// Writes the font with the glyphs that all pages use.
    fn write_font(&mut self) -> io::Result<()> {
        let Some(font) = self.font.take() else {
            let mut chunk = Chunk::new();
            chunk.indirect(self.font_id).primitive(pdf_writer::Null);
            return self.file.object(self.font_id, &chunk);
        };
        let embedded = font.embedded()?;
        let ids = [(); 4].map(|()| self.file.reserve());
        let [cid, descriptor, program, unicode] = ids;

        let mut chunk = Chunk::new();
        chunk
            .type0_font(self.font_id)
            .base_font(SUBSET)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(unicode);
        self.file.object(self.font_id, &chunk)?;

        let mut chunk = Chunk::new();
        let mut described = chunk.cid_font(cid);
        described.subtype(if embedded.is_cff {
            CidFontType::Type0
        } else {
            CidFontType::Type2
        });
        described
            .base_font(SUBSET)
            .system_info(SYSTEM)
            .font_descriptor(descriptor)
            .default_width(0.0);
        if !embedded.is_cff {
            described.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        described.widths().consecutive(0, font.widths());
        described.finish();
        self.file.object(cid, &chunk)?;

        let mut chunk = Chunk::new();
        let [x_min, y_min, x_max, y_max] = embedded.bounds;
        let mut described = chunk.font_descriptor(descriptor);
        described
            .name(SUBSET)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(x_min, y_min, x_max, y_max))
            .italic_angle(0.0)
            .ascent(embedded.ascent)
            .descent(embedded.descent)
            .cap_height(embedded.ascent)
            .stem_v(80.0);
        if embedded.is_cff {
            described.font_file3(program);
        } else {
            described.font_file2(program);
        }
        described.finish();
        self.file.object(descriptor, &chunk)?;

        let mut chunk = Chunk::new();
        let mut stream = chunk.stream(program, &embedded.file);
        if embedded.is_cff {
            stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        } else {
            stream.pair(
                Name(b"Length1"),
                i32::try_from(embedded.file.len()).unwrap_or(i32::MAX),
            );
        }
        stream.finish();
        self.file.object(program, &chunk)?;

        let mut letters = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
        for (&code, &letter) in font.letters() {
            letters.pair(code, letter);
        }
        let mut chunk = Chunk::new();
        let letters = letters.finish();
        chunk.cmap(unicode, &letters);
        self.file.object(unicode, &chunk)
    }
}

#[derive(Clone, Copy)]
enum Align {
    Start,
    Middle,
}

fn name_of(index: usize) -> String {
    format!("P{index}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{PageSize, SheetLayout};

    /// The head of a grey JPEG, three wide and two high; its contents are not read.
    const JPEG: &[u8] = b"\xff\xd8\xff\xc0\0\x0b\x08\0\x02\0\x03\x01abc\xff\xd9";

    fn written(font: Option<Font>, pictures: &[Option<&[u8]>]) -> Vec<u8> {
        let layout = Layout::new(SheetLayout {
            size: PageSize::A4,
            is_landscape: true,
            columns: 2,
            rows: 1,
            margin: 10,
            lines: 1,
            has_title: true,
            has_numbers: true,
        });
        let mut sheet =
            Sheet::new(Vec::new(), layout.unwrap(), font, "旅", pictures.len()).unwrap();
        for &jpeg in pictures {
            let lines = ["a.jpg".to_owned(), "left out".to_owned()];
            let lines = &lines;
            sheet.add(&Cell { jpeg, lines }).unwrap();
        }
        sheet.finish().unwrap()
    }

    fn count(pdf: &[u8], wanted: &str) -> usize {
        pdf.windows(wanted.len())
            .filter(|part| part == &wanted.as_bytes())
            .count()
    }

    #[test]
    fn every_object_is_where_the_table_says() {
        let pdf = written(None, &[Some(JPEG), None, Some(JPEG)]);
        let text = String::from_utf8_lossy(&pdf);
        let start: usize = text
            .rsplit("startxref\n")
            .next()
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .parse()
            .unwrap();
        let table = std::str::from_utf8(&pdf[start..]).unwrap();
        let places: Vec<usize> = table
            .lines()
            .skip(3)
            .map_while(|line| line.strip_suffix(" 00000 n ")?.parse().ok())
            .collect();
        // The catalogue, the tree of pages, the font, and two objects for each of two pages and one for each picture.
        assert_eq!(places.len(), 3 + 4 + 2);
        for (index, place) in places.into_iter().enumerate() {
            assert!(
                pdf[place..].starts_with(format!("{} 0 obj\n", index + 1).as_bytes()),
                "{index}"
            );
        }
    }

    #[test]
    fn pictures_fill_pages_in_order() {
        let pdf = written(None, &[Some(JPEG), None, Some(JPEG), Some(b"no picture")]);
        assert_eq!(count(&pdf, "/MediaBox [0 0 841.88"), 2);
        assert_eq!(count(&pdf, "/DCTDecode"), 2);
        assert_eq!(count(&pdf, "/DeviceGray"), 2);
        // A picture that can't be shown is a frame with a line across it.
        assert_eq!(count(&pdf, " re\n"), 2);
        assert_eq!(count(&pdf, "Tj"), 0);
    }
}
