//! The container of an animated WebP (RFC 9649, 2.7), whose frames all cover the canvas.

/// The head of a file: `RIFF`, its length, `WEBP`.
const FILE_HEAD: usize = 12;
/// The flags of the file's head for an animation, and for opacity.
const ANIMATED: u8 = 0x02;
const OPACITY: u8 = 0x10;
/// A frame that replaces the one before it.
const UNBLENDED: u8 = 0x02;

/// An animated WebP that is put together.
pub(crate) struct Animation {
    size: (u32, u32),
    chunks: Vec<u8>,
    flags: u8,
}

impl Animation {
    pub(crate) fn new(size: (u32, u32), plays: u16) -> Self {
        let mut animation = Self {
            size,
            chunks: Vec::new(),
            flags: ANIMATED,
        };
        let control = [&[0; 4][..], &plays.to_le_bytes()].concat();
        push(&mut animation.chunks, *b"ANIM", &control);
        animation
    }

    /// Adds the index of the first frame in an animation of which this is a part, and the durations of all its frames.
    pub(crate) fn add_table(&mut self, first: u32, durations: &[u32]) {
        let numbers = std::iter::once(&first).chain(durations);
        let table: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        push(&mut self.chunks, *b"FRMS", &table);
    }

    /// Adds a frame, the file of a picture of the animation's size, for some milliseconds.
    pub(crate) fn add_frame(&mut self, file: &[u8], duration: u32) {
        let mut body = [0; 6].to_vec();
        body.extend(sides(self.size));
        body.extend(number24(duration));
        body.push(UNBLENDED);
        let mut rest = file.get(FILE_HEAD..).unwrap_or_default();
        while let Some((head, contents)) = rest.split_first_chunk::<8>() {
            let [kind @ .., a, b, c, d] = *head;
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            if matches!(&kind, b"ALPH" | b"VP8 " | b"VP8L") {
                push(&mut body, kind, contents.get(..length).unwrap_or_default());
            }
            if matches!(&kind, b"ALPH" | b"VP8L") {
                self.flags |= OPACITY;
            }
            rest = contents.get(length + length % 2..).unwrap_or_default();
        }
        push(&mut self.chunks, *b"ANMF", &body);
    }

    /// Returns the file.
    pub(crate) fn finish(self) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        let mut head = vec![self.flags, 0, 0, 0];
        head.extend(sides(self.size));
        push(&mut body, *b"VP8X", &head);
        body.extend(self.chunks);
        let mut file = Vec::with_capacity(body.len() + 8);
        push(&mut file, *b"RIFF", &body);
        file
    }
}

/// Appends a chunk, of an even length.
fn push(to: &mut Vec<u8>, kind: [u8; 4], body: &[u8]) {
    let length = u32::try_from(body.len()).expect("BUG: a chunk has less than 4 GiB");
    to.extend(kind);
    to.extend(length.to_le_bytes());
    to.extend(body);
    to.extend(std::iter::repeat_n(0, body.len() % 2));
}

/// Returns the width and the height, less one each.
fn sides((width, height): (u32, u32)) -> impl Iterator<Item = u8> {
    [width, height]
        .into_iter()
        .flat_map(|side| number24(side.saturating_sub(1)))
}

/// Returns the lowest 24 bits, or the greatest number that has as many.
fn number24(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.min(0xff_ffff).to_le_bytes();
    [a, b, c]
}
