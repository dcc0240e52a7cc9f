//! Changes the marks in a sidecar, and nothing else in it.

use roxmltree::Node;

use super::crop;
use super::encoding::MAX_BYTES;
use super::packet::Packet;
use super::properties::Editor;
use super::read::{marks_of, read};
use super::schema::{
    CREATED, DESCRIPTION, HAS_CROP, META, ORIENTATION, PATHS, RATING, RDF, SUBJECT, TAKEN,
};
use super::{Encoding, Marks, MarksChange, SidecarError, SidecarMarks, packet};

/// The name of this program in the sidecars that it creates.
const TOOLKIT: &str = "Fumikura";

pub(super) struct EditOutcome {
    pub(super) before: Marks,
    pub(super) after: Marks,
    /// The marks in the sidecar afterwards.
    pub(super) stated: SidecarMarks,
    /// The new bytes; `None` if nothing changes.
    pub(super) sidecar: Option<Vec<u8>>,
    /// True if the new bytes say nothing: this program created the sidecar, and the marks are those in the picture.
    pub(super) is_empty: bool,
}

/// Changes the sidecar of a picture that has the marks `embedded` in its own file, or creates a new one.
///
/// Every byte that does not belong to a changed property stays, and so does a value that is already set. Tags
/// are written into all properties that digiKam, darktable and Lightroom read, and into existing ones of other
/// programs. Removing a rating writes the rating 0: without a rating, digiKam would read the one in the picture
/// itself, and darktable would use a default.
///
/// # Errors
/// [`SidecarError`] if there is a sidecar that can't be read, or if it would be too large.
pub fn edit(
    existing: Option<&[u8]>,
    change: &MarksChange,
    embedded: &Marks,
) -> Result<Vec<u8>, SidecarError> {
    let new;
    let sidecar = match existing {
        Some(sidecar) => sidecar,
        None => {
            new = empty(&change.apply_to(embedded));
            new.as_bytes()
        }
    };
    let edited = apply(sidecar, change, embedded)?;
    Ok(edited.sidecar.unwrap_or_else(|| sidecar.to_vec()))
}

pub(super) fn apply(
    sidecar: &[u8],
    change: &MarksChange,
    embedded: &Marks,
) -> Result<EditOutcome, SidecarError> {
    let (text, encoding) = Encoding::decode(sidecar)?;
    let document = packet::parse(&text)?;
    let packet = Packet::of(&document)?;
    let stated = marks_of(&packet)?;
    let before = stated.over(embedded);
    let after = change.apply_to(&before);
    if after == before {
        return Ok(EditOutcome {
            before,
            after,
            stated,
            sidecar: None,
            is_empty: false,
        });
    }
    let mut editor = Editor::new(&text, &packet);
    if after.rating != before.rating {
        editor.rate(after.rating, embedded.rating.is_some())?;
    }
    if after.tags != before.tags {
        editor.tag(&stated.marks.tags, &after.tags, !embedded.tags.is_empty())?;
    }
    if after.caption != before.caption {
        let (is, was) = (after.caption.as_deref(), stated.marks.caption.as_deref());
        editor.caption(was, is, embedded.caption.is_some())?;
    }
    if after.orientation != before.orientation {
        editor.set_or_remove(&ORIENTATION, after.orientation)?;
    }
    if after.crop != before.crop {
        crop::set(&mut editor, after.crop)?;
    }
    if after.taken != before.taken {
        editor.set_or_remove(&TAKEN, after.taken)?;
        editor.set_copy(&CREATED, after.taken)?;
    }
    let text = editor.finish();
    let is_empty = after == *embedded && is_own_with_marks_only(&text)?;
    let sidecar = encoding.encode(&text);
    if sidecar.len() > MAX_BYTES {
        return Err(SidecarError::TooLarge);
    }
    // A sidecar that does not read back as intended is never written.
    let stated = read(&sidecar)?;
    if stated.over(embedded) != after {
        return Err(SidecarError::Unsupported(
            "ratings, tags, a caption, an orientation, a crop or a date",
        ));
    }
    Ok(EditOutcome {
        before,
        after,
        stated,
        sidecar: Some(sidecar),
        is_empty,
    })
}

/// Returns true if this program created the sidecar, and it has nothing but marks.
fn is_own_with_marks_only(text: &str) -> Result<bool, SidecarError> {
    let document = packet::parse(text)?;
    let packet = Packet::of(&document)?;
    let [description] = packet.descriptions[..] else {
        return Ok(false);
    };
    let root = document.root_element();
    let own = [document.root(), root, packet.rdf, description];
    let is_mark = |namespace: Option<&str>, name: &str| {
        let paths = PATHS.iter().map(|paths| &paths.property);
        let mut marks = paths.chain([&RATING, &SUBJECT, &DESCRIPTION]);
        marks.any(|property| property.is(namespace.unwrap_or_default(), name))
    };
    let is_of_mark = |node: Node<'_, '_>| {
        let mut names = node.ancestors().map(|one| one.tag_name());
        names.any(|name| is_mark(name.namespace(), name.name()))
    };
    let is_blank = |node: Node<'_, '_>| {
        node.is_text() && node.text().is_none_or(|text| text.trim().is_empty())
    };
    Ok(root.attribute((META, "xmptk")) == Some(TOOLKIT)
        && root.attributes().len() == 1
        && packet.rdf.attributes().len() == 0
        && description.attributes().all(|attribute| {
            let (namespace, name) = (attribute.namespace(), attribute.name());
            (namespace, name) == (Some(RDF), "about") || is_mark(namespace, name)
        })
        && document
            .descendants()
            .all(|node| own.contains(&node) || is_of_mark(node) || is_blank(node)))
}

/// Returns a sidecar without properties, in the layout that Exiv2 uses for digiKam and darktable, with the namespaces
/// of its later content.
fn empty(marks: &Marks) -> String {
    let paths = PATHS.iter().filter(|paths| paths.always);
    let of_tags = paths.map(|paths| &paths.property).chain([&SUBJECT]);
    let properties = marks
        .rating
        .iter()
        .map(|_| &RATING)
        .chain(of_tags.filter(|_| !marks.tags.is_empty()));
    // Keywords have the same namespace.
    let caption = marks.caption.iter().filter(|_| marks.tags.is_empty());
    let properties = properties.chain(caption.map(|_| &DESCRIPTION));
    let properties = properties.chain(marks.orientation.iter().map(|_| &ORIENTATION));
    let properties = properties.chain(marks.crop.iter().map(|_| &HAS_CROP));
    let properties = properties.chain(marks.taken.iter().map(|_| &TAKEN));
    let namespaces: String = properties
        .map(|property| {
            let (prefix, namespace) = (property.prefix(), property.namespaces[0]);
            format!("\n    xmlns:{prefix}=\"{namespace}\"")
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <x:xmpmeta xmlns:x=\"{META}\" x:xmptk=\"{TOOLKIT}\">\n \
         <rdf:RDF xmlns:rdf=\"{RDF}\">\n  \
         <rdf:Description rdf:about=\"\"{namespaces}/>\n \
         </rdf:RDF>\n\
         </x:xmpmeta>\n"
    )
}
