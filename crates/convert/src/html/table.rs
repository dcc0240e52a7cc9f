//! Tables: merged cells are spread, and cells of blocks become lines.

use super::{NodeId, Reader};
use crate::document::{Align, Block, Inline};
use crate::source::LossKind;

/// The largest number of columns that a cell can span.
const MAX_SPAN: usize = 50;

impl Reader<'_> {
    /// Reads a table. One with a single cell only places its contents.
    pub(super) fn table(&mut self, id: NodeId) -> Vec<Block> {
        let dom = self.dom;
        let mut caption = None;
        let mut row_ids = Vec::new();
        for child in dom.children(id) {
            match dom.name(*child) {
                "tr" => row_ids.push(*child),
                "caption" => caption = Some(*child),
                "thead" | "tbody" | "tfoot" => {
                    let rows = dom.children(*child).iter().copied();
                    row_ids.extend(rows.filter(|row| dom.name(*row) == "tr"));
                }
                _ => {}
            }
        }
        let cell_ids = |row: NodeId| -> Vec<NodeId> {
            let cells = dom.children(row).iter().copied();
            cells
                .filter(|cell| matches!(dom.name(*cell), "td" | "th"))
                .collect()
        };
        if row_ids.len() == 1 && cell_ids(row_ids[0]).len() == 1 {
            return self.blocks(cell_ids(row_ids[0])[0]);
        }
        let mut blocks = Vec::new();
        if let Some(caption) = caption {
            blocks.push(Block::Paragraph(self.run_of(caption)));
        }
        let mut rows = Vec::new();
        let mut align = Vec::new();
        // For each column, the number of rows that a cell above still covers.
        let mut covered: Vec<usize> = Vec::new();
        for row_id in row_ids {
            let mut row: Vec<Vec<Inline>> = Vec::new();
            for cell_id in cell_ids(row_id) {
                skip_covered(&mut covered, &mut row);
                let Some(cell) = dom.element(cell_id) else {
                    continue;
                };
                let span = |name: &str| {
                    cell.attribute(name)
                        .parse()
                        .unwrap_or(1_usize)
                        .clamp(1, MAX_SPAN)
                };
                let (columns, height) = (span("colspan"), span("rowspan"));
                if columns > 1 || height > 1 {
                    self.lose(LossKind::Markup, "merged cells");
                }
                if rows.is_empty() {
                    align.push(align_of(cell));
                    align.resize(row.len() + columns, Align::None);
                }
                if dom
                    .find(cell_id, &|element| {
                        matches!(element.name.as_str(), "ul" | "ol" | "table" | "pre")
                    })
                    .is_some()
                {
                    self.lose(LossKind::Markup, "list or table in a cell");
                }
                let content = self.run_of(cell_id);
                for column in 0..columns {
                    covered.resize(covered.len().max(row.len() + 1), 0);
                    covered[row.len()] = height - 1;
                    row.push(if column == 0 {
                        content.clone()
                    } else {
                        Vec::new()
                    });
                }
            }
            skip_covered(&mut covered, &mut row);
            rows.push(row);
        }
        if rows.iter().any(|row| !row.is_empty()) {
            blocks.push(Block::Table { align, rows });
        }
        blocks
    }
}

fn skip_covered(covered: &mut [usize], row: &mut Vec<Vec<Inline>>) {
    while let Some(rows) = covered.get_mut(row.len()).filter(|rows| **rows > 0) {
        *rows -= 1;
        row.push(Vec::new());
    }
}

fn align_of(cell: &super::Element) -> Align {
    let style = cell.style("text-align");
    let align = if style.is_empty() {
        cell.attribute("align")
    } else {
        &style
    };
    match align {
        "center" => Align::Center,
        "right" => Align::Right,
        _ => Align::None,
    }
}
