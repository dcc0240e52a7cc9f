//! A PDF file that is written object by object: none of them stays in memory.

use std::io::{self, Write};

use pdf_writer::{Chunk, Ref};

/// Written objects, and their places in the file.
pub(crate) struct PdfFile<W> {
    out: W,
    position: u64,
    /// The place of each object by its number less one; `None` until it is written.
    places: Vec<Option<u64>>,
}

impl<W: Write> PdfFile<W> {
    pub(crate) fn new(out: W) -> io::Result<Self> {
        let mut file = Self {
            out,
            position: 0,
            places: Vec::new(),
        };
        // The second line tells programs that the file is not text.
        file.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")?;
        Ok(file)
    }

    /// Reserves the number of an object that is written later.
    pub(crate) fn reserve(&mut self) -> Ref {
        self.places.push(None);
        Ref::new(i32::try_from(self.places.len()).expect("BUG: a sheet has few objects"))
    }

    /// Writes a chunk with exactly this object.
    pub(crate) fn object(&mut self, id: Ref, chunk: &Chunk) -> io::Result<()> {
        let index = usize::try_from(id.get() - 1).expect("BUG: numbers start at 1");
        self.places[index] = Some(self.position);
        self.write(chunk.as_bytes())
    }

    /// Writes the table of objects, and returns the writer.
    pub(crate) fn finish(mut self, catalogue: Ref) -> io::Result<W> {
        let start = self.position;
        let size = self.places.len() + 1;
        self.write(format!("xref\n0 {size}\n0000000000 65535 f \n").as_bytes())?;
        for place in std::mem::take(&mut self.places) {
            let place = place.expect("BUG: every reserved object is written");
            self.write(format!("{place:010} 00000 n \n").as_bytes())?;
        }
        let root = catalogue.get();
        let end =
            format!("trailer\n<< /Size {size} /Root {root} 0 R >>\nstartxref\n{start}\n%%EOF\n");
        self.write(end.as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.position += bytes.len() as u64;
        Ok(())
    }
}
