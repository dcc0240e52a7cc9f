//! Bounds that markup must respect before it is parsed: for some elements, the parser's time and memory grow
//! with the square of their size.

use super::SidecarError;

const MAX_MARKUP: usize = 200_000;
const MAX_ATTRIBUTES: usize = 200_000;
/// Lightroom writes some 300 of its settings into one element.
const MAX_ATTRIBUTES_OF_ONE: usize = 1000;
/// The parser compares all attributes of an element with each other.
const MAX_COMPARISONS: usize = 20_000_000;
const MAX_NAMESPACES: usize = 10_000;
const MAX_NAMESPACES_AT_ONCE: usize = 200;
const MAX_DEPTH: usize = 64;

/// Checks the bounds. Text that is not XML is left to the parser.
///
/// # Errors
/// [`SidecarError`] for a document type definition, and for more of anything than a real sidecar has.
pub(super) fn check(text: &str) -> Result<(), SidecarError> {
    let markup = text.bytes().filter(|&byte| byte == b'<').count();
    let equals = text.bytes().filter(|&byte| byte == b'=').count();
    check_at_most(MAX_MARKUP, markup, "elements")?;
    // The parser allocates an attribute for each equals sign, at any place.
    check_at_most(2 * MAX_ATTRIBUTES, equals, "attributes")?;
    let mut count = Count::default();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let after = |close| rest.find(close).map(|at| &rest[at + str::len(close)..]);
        let next = if rest.starts_with("<!--") {
            after("-->")
        } else if rest.starts_with("<![CDATA[") {
            after("]]>")
        } else if rest.starts_with("<?") {
            after("?>")
        } else if rest.starts_with("<!DOCTYPE") {
            return Err(SidecarError::Doctype);
        } else if rest.starts_with("<!") {
            // The parser stops here.
            None
        } else if let Some(end) = tag_end(rest) {
            count.add(&rest[..end])?;
            Some(&rest[end..])
        } else {
            None
        };
        let Some(next) = next else { break };
        rest = next;
    }
    Ok(())
}

/// Returns the end of the tag at the beginning of `text`, behind its `>`; `None` if there is none.
pub(super) fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    None
}

#[derive(Default)]
struct Count {
    attributes: usize,
    comparisons: usize,
    namespaces: usize,
    /// The number of namespaces that each open element declares.
    open: Vec<usize>,
    in_scope: usize,
}

impl Count {
    fn add(&mut self, tag: &str) -> Result<(), SidecarError> {
        if tag.starts_with("</") {
            self.in_scope -= self.open.pop().unwrap_or(0);
            return Ok(());
        }
        let attributes = tag.bytes().filter(|&byte| byte == b'=').count();
        // A value may contain the word as well; the count is too high then.
        let namespaces = tag.matches("xmlns").count();
        self.attributes += attributes;
        self.namespaces += namespaces;
        let values = count_quoted(tag);
        check_at_most(MAX_ATTRIBUTES_OF_ONE, values, "attributes")?;
        self.comparisons += values * values;
        check_at_most(MAX_COMPARISONS, self.comparisons, "attributes")?;
        check_at_most(MAX_ATTRIBUTES, self.attributes, "attributes")?;
        check_at_most(MAX_NAMESPACES, self.namespaces, "namespaces")?;
        check_at_most(
            MAX_NAMESPACES_AT_ONCE,
            self.in_scope + namespaces,
            "namespaces",
        )?;
        if !tag.ends_with("/>") {
            self.open.push(namespaces);
            self.in_scope += namespaces;
            check_at_most(MAX_DEPTH, self.open.len(), "levels")?;
        }
        Ok(())
    }
}

/// Returns the number of quoted values of a tag.
fn count_quoted(tag: &str) -> usize {
    let mut count = 0;
    let mut quote = None;
    for byte in tag.bytes() {
        match quote {
            None if matches!(byte, b'"' | b'\'') => {
                quote = Some(byte);
                count += 1;
            }
            Some(open) if open == byte => quote = None,
            None | Some(_) => {}
        }
    }
    count
}

fn check_at_most(bound: usize, count: usize, what: &'static str) -> Result<(), SidecarError> {
    if count > bound {
        Err(SidecarError::TooMuch(what))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str, expected: &str) {
        match check(text) {
            Err(SidecarError::TooMuch(what)) => assert_eq!(what, expected),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn excessive_markup_is_refused_before_parsing() {
        refused(&"<a>".repeat(65), "levels");
        refused(&"<a/>".repeat(200_001), "elements");
        let many: String = (0..1001).map(|n| format!(" a{n}=''")).collect();
        refused(&format!("<a{many}/>"), "attributes");
        let many: String = (0..1000).map(|n| format!(" a{n}=''")).collect();
        refused(&format!("<a{many}/>").repeat(21), "attributes");
        let many: String = (0..201).map(|n| format!(" xmlns:a{n}=''")).collect();
        refused(&format!("<a{many}/>"), "namespaces");
        refused(&"=".repeat(400_001), "attributes");
        refused(&"<a xmlns:b='b' c='d'/>".repeat(10_001), "namespaces");
    }

    #[test]
    fn usual_markup_is_accepted() {
        let text = format!(
            "<?xpacket <<<?><!-- <a> --><a b='>' c=\"<\"><![CDATA[<a>]]>{}</a>",
            "<a><b/></a>".repeat(1000)
        );
        check(&text).unwrap();
        // The text may end anywhere: the parser reports the error.
        for end in 0..60 {
            check(&text[..end]).unwrap();
        }
    }

    #[test]
    fn document_type_is_refused() {
        for text in [
            "<!DOCTYPE a><a/>",
            "<?xpacket?> <!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        ] {
            assert!(matches!(check(text), Err(SidecarError::Doctype)));
        }
    }
}
