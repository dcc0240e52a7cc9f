//! The header of a sequential JPEG (ITU-T T.81, annex B), as far as this decoder supports it.

use crate::huffman::Specification;
use crate::zigzag::COEFFICIENTS;

/// The contents of the header.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The components in the order of the frame, which is that of the scan.
    pub(crate) components: Vec<Component<'a>>,
    /// The number of MCUs between two restart markers; 0 if there are none.
    pub(crate) restart_interval: u32,
    /// The entropy-coded data, and the data behind it.
    pub(crate) data: &'a [u8],
}

/// A colour component of the picture.
#[derive(Debug)]
pub(crate) struct Component<'a> {
    id: u8,
    /// The number of blocks in an MCU, along its sides.
    pub(crate) across: usize,
    pub(crate) down: usize,
    quantization_number: u8,
    /// The steps in zigzag order.
    pub(crate) quantization: [u16; COEFFICIENTS],
    pub(crate) dc: Specification<'a>,
    pub(crate) ac: Specification<'a>,
}

// Markers, the second of their two bytes.
const SOI: u8 = 0xD8;
const BASELINE: u8 = 0xC0;
const EXTENDED: u8 = 0xC1;
const DHT: u8 = 0xC4;
const DQT: u8 = 0xDB;
const DRI: u8 = 0xDD;
const SOS: u8 = 0xDA;
const APPLICATION: std::ops::RangeInclusive<u8> = 0xE0..=0xEF;
const COMMENT: u8 = 0xFE;

/// The number of tables of each kind.
const TABLES: usize = 4;
/// The most blocks that an MCU may have (B.2.3).
const BLOCKS_OF_MCU: usize = 10;
/// The most blocks of a component along a side of an MCU.
const SAMPLING: std::ops::RangeInclusive<usize> = 1..=4;

/// The tables defined so far.
#[derive(Default)]
struct Tables<'a> {
    quantization: [Option<[u16; COEFFICIENTS]>; TABLES],
    dc: [Option<Specification<'a>>; TABLES],
    ac: [Option<Specification<'a>>; TABLES],
    restart_interval: u32,
}

impl<'a> Frame<'a> {
    /// Reads the header of a file. Returns `None` unless it is a sequential JPEG of 8 bits with one scan of
    /// all its one or three components, and for anything unusual.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(&[0xFF, SOI])?;
        let mut tables = Tables::default();
        let mut frame = None;
        loop {
            let (marker, content, after) = segment(rest)?;
            rest = after;
            match marker {
                BASELINE | EXTENDED if frame.is_none() => frame = Some(Self::start(content)?),
                DHT => tables.define_huffman(content)?,
                DQT => tables.define_quantization(content)?,
                DRI => {
                    let interval: [u8; 2] = content.try_into().ok()?;
                    tables.restart_interval = u16::from_be_bytes(interval).into();
                }
                SOS => {
                    let mut frame: Frame<'a> = frame?;
                    frame.begin_scan(content, &tables)?;
                    frame.data = rest;
                    return Some(frame);
                }
                COMMENT => {}
                marker if APPLICATION.contains(&marker) => {}
                _ => return None,
            }
        }
    }

    /// Returns the largest number of blocks of a component in an MCU, along its sides.
    pub(crate) fn sampling(&self) -> (usize, usize) {
        let max_of = |side: fn(&Component<'_>) -> usize| self.components.iter().map(side).max();
        (
            max_of(|component| component.across).unwrap_or(1),
            max_of(|component| component.down).unwrap_or(1),
        )
    }

    /// Reads the frame header (B.2.2).
    fn start(content: &[u8]) -> Option<Self> {
        let (&[precision, h1, h0, w1, w0, count], components) = content.split_first_chunk()?;
        let is_supported = precision == 8 && matches!(count, 1 | 3);
        if !is_supported || components.len() != usize::from(count) * 3 {
            return None;
        }
        let mut components: Vec<_> = components
            .chunks_exact(3)
            .map(|component| Component {
                id: component[0],
                across: usize::from(component[1] >> 4),
                down: usize::from(component[1] & 15),
                quantization_number: component[2],
                quantization: [0; COEFFICIENTS],
                dc: Specification::default(),
                ac: Specification::default(),
            })
            .collect();
        if let [single] = &mut components[..] {
            // A scan of one component is not interleaved: an MCU is one block, whatever the header states (A.2.2).
            (single.across, single.down) = (1, 1);
        }
        let allowed = |component: &Component<'_>| {
            SAMPLING.contains(&component.across) && SAMPLING.contains(&component.down)
        };
        let blocks: usize = components.iter().map(|one| one.across * one.down).sum();
        (components.iter().all(allowed) && blocks <= BLOCKS_OF_MCU).then(|| Self {
            width: u16::from_be_bytes([w1, w0]).into(),
            height: u16::from_be_bytes([h1, h0]).into(),
            components,
            restart_interval: 0,
            data: &[],
        })
    }

    /// Reads the scan header (B.2.3).
    fn begin_scan(&mut self, content: &[u8], tables: &Tables<'a>) -> Option<()> {
        let (&count, content) = content.split_first()?;
        let of_components = content.strip_suffix(&[0, 63, 0])?;
        let length = self.components.len();
        if usize::from(count) != length || of_components.len() != length * 2 {
            return None;
        }
        for (component, named) in self
            .components
            .iter_mut()
            .zip(of_components.chunks_exact(2))
        {
            if component.id != named[0] {
                return None;
            }
            let number = usize::from(component.quantization_number);
            component.quantization = (*tables.quantization.get(number)?)?;
            component.dc = (*tables.dc.get(usize::from(named[1] >> 4))?)?;
            component.ac = (*tables.ac.get(usize::from(named[1] & 15))?)?;
        }
        self.restart_interval = tables.restart_interval;
        Some(())
    }
}

impl<'a> Tables<'a> {
    /// Reads a segment that defines Huffman tables (B.2.4.2).
    fn define_huffman(&mut self, mut content: &'a [u8]) -> Option<()> {
        while let Some((&kind_and_number, rest)) = content.split_first() {
            let (specification, rest) = Specification::read(rest)?;
            let tables = match kind_and_number >> 4 {
                0 => &mut self.dc,
                1 => &mut self.ac,
                _ => return None,
            };
            *tables.get_mut(usize::from(kind_and_number & 15))? = Some(specification);
            content = rest;
        }
        Some(())
    }

    /// Reads a segment that defines quantization tables (B.2.4.1).
    fn define_quantization(&mut self, mut content: &[u8]) -> Option<()> {
        while let Some((&precision_and_number, rest)) = content.split_first() {
            // 16-bit steps are for samples of 12 bits.
            if precision_and_number >> 4 != 0 {
                return None;
            }
            let (steps, rest) = rest.split_first_chunk::<COEFFICIENTS>()?;
            let table = self
                .quantization
                .get_mut(usize::from(precision_and_number))?;
            *table = Some(steps.map(u16::from));
            content = rest;
        }
        Some(())
    }
}

/// Returns the segment at the start of `bytes`: its marker, its content, and the rest.
fn segment(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[prefix, marker, high, low], rest) = bytes.split_first_chunk()?;
    let length = usize::from(u16::from_be_bytes([high, low])).checked_sub(2)?;
    let (content, rest) = rest.split_at_checked(length)?;
    (prefix == 0xFF).then_some((marker, content, rest))
}
