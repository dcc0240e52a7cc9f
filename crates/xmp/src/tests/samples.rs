//! Samples of digiKam, darktable, Lightroom, ExifTool and gThumb.

use super::*;

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fuzz/corpus/sidecar/",
            $name
        ))
    };
}

pub(super) const DIGIKAM: &[u8] = sample!("digikam.xmp");
pub(super) const DARKTABLE: &[u8] = sample!("darktable.xmp");
pub(super) const LIGHTROOM: &[u8] = sample!("lightroom.xmp");
pub(super) const EXIFTOOL: &[u8] = sample!("exiftool.xmp");
pub(super) const GTHUMB: &[u8] = sample!("gthumb.xmp");
/// The sample of darktable in UTF-16, with CR LF line breaks.
const WIDE: &[u8] = sample!("wide.xmp");

pub(super) const ALL: [&[u8]; 6] = [DIGIKAM, DARKTABLE, LIGHTROOM, EXIFTOOL, GTHUMB, WIDE];

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

/// Checks the lines that a change removes from a text and adds to it.
#[track_caller]
fn check_lines(sample: &[u8], change: &MarksChange, gone: &[&str], come: &[&str]) {
    let (before, after) = (text(sample), edited(text(sample), change));
    let (mut left, mut right): (Vec<_>, Vec<_>) = (
        before.lines().rev().collect(),
        after.lines().rev().collect(),
    );
    let (mut really_gone, mut really_come) = (Vec::new(), Vec::new());
    while let Some(line) = left.pop() {
        // A line that occurs later on the right stays: the lines before it there are new.
        match right.iter().rposition(|other| *other == line) {
            Some(at) => {
                really_come.extend(right.drain(at + 1..).rev().map(str::trim));
                right.pop();
            }
            None => really_gone.push(line.trim()),
        }
    }
    really_come.extend(right.into_iter().rev().map(str::trim));
    assert_eq!(really_gone, gone, "{after}");
    assert_eq!(really_come, come, "{after}");
}

#[test]
fn sidecars_of_each_program_are_read() {
    let check = |sample, rating, names: &[&str]| {
        let read = read(sample).unwrap();
        let (rating, tags) = (Some(rating), marks(None, names).tags);
        assert_eq!((read.rating, read.tags), (rating, tags));
    };
    check(
        DIGIKAM,
        Rating::Four,
        &["Places/Japan/Kyoto", "Rain & Snow"],
    );
    check(
        DARKTABLE,
        Rating::Rejected,
        &["Places/Japan/Kyoto", "autumn"],
    );
    check(WIDE, Rating::Rejected, &["Places/Japan/Kyoto", "autumn"]);
    check(LIGHTROOM, Rating::Five, &["Music/AC/DC", "stage"]);
    check(EXIFTOOL, Rating::Three, &["Family/one", "two"]);
    check(GTHUMB, Rating::Two, &["Holiday", "Sea"]);
    assert_eq!(read(DIGIKAM).unwrap().caption.as_deref(), Some("清水寺"));
}

#[test]
fn setting_current_marks_changes_no_byte() {
    for sample in ALL {
        let marks = read(sample).unwrap();
        assert_eq!(edit(Some(sample), &to(&marks)).unwrap(), sample);
        let nothing = MarksChange::default();
        assert_eq!(edit(Some(sample), &nothing).unwrap(), sample);
    }
}

#[test]
fn rating_is_changed_in_place() {
    let rated = |rating| rated(RatingChange::Set(rating));
    check_lines(
        DIGIKAM,
        &rated(Rating::One),
        &[
            "xmp:Rating=\"4\"",
            "MicrosoftPhoto:Rating=\"75\"",
            "acdsee:rating=\"4\"",
        ],
        &[
            "xmp:Rating=\"1\"",
            "MicrosoftPhoto:Rating=\"1\"",
            "acdsee:rating=\"1\"",
        ],
    );
    check_lines(
        EXIFTOOL,
        &rated(Rating::Rejected),
        &["<xmp:Rating>3.0</xmp:Rating>"],
        &["<xmp:Rating>-1</xmp:Rating>"],
    );
    let cleared = super::rated(RatingChange::Clear);
    check_lines(
        DARKTABLE,
        &cleared,
        &["xmp:Rating=\"-1\""],
        &["xmp:Rating=\"0\""],
    );
    assert_eq!(
        edited(text(GTHUMB), &rated(Rating::Five)),
        text(GTHUMB).replace(">2<", ">5<")
    );
}

#[test]
fn tags_are_added_and_removed_in_every_list() {
    let change = tagged(&["Places/Japan/Kyoto", "Rain & Snow", "Food/Rāmen"]);
    let come = [
        "<rdf:li>Food/Rāmen</rdf:li>",
        "<rdf:li>Food/Rāmen</rdf:li>",
        "<rdf:li>Food|Rāmen</rdf:li>",
        "<rdf:li>Food|Rāmen</rdf:li>",
        "<rdf:li>Rāmen</rdf:li>",
    ];
    let gone = [
        "acdsee:categories=\"&lt;Categories&gt;&lt;Category Assigned=&quot;0&quot;&gt;Places\
         &lt;Category Assigned=&quot;0&quot;&gt;Japan&lt;Category Assigned=&quot;1&quot;&gt;Kyoto\
         &lt;/Category&gt;&lt;/Category&gt;&lt;/Category&gt;&lt;Category Assigned=&quot;1&quot;&gt;\
         Rain &amp; Snow&lt;/Category&gt;&lt;/Categories&gt;\"",
    ];
    let new = gone[0]
        .replace("Rain &amp; Snow", "Rain &amp;amp; Snow")
        .replace(
            "&lt;/Categories",
            "&lt;Category Assigned=&quot;0&quot;&gt;Food&lt;Category Assigned=&quot;1&quot;&gt;Rāmen\
             &lt;/Category&gt;&lt;/Category&gt;&lt;/Categories",
        );
    let come: Vec<&str> = [new.as_str()].into_iter().chain(come).collect();
    check_lines(DIGIKAM, &change, &gone, &come);
    let gone = [
        gone[0],
        "<rdf:li>Places/Japan/Kyoto</rdf:li>",
        "<rdf:li>Places/Japan/Kyoto</rdf:li>",
        "<rdf:li>Places|Japan|Kyoto</rdf:li>",
        "<rdf:li>Places|Japan|Kyoto</rdf:li>",
        "<rdf:li>Kyoto</rdf:li>",
    ];
    let come = [
        "acdsee:categories=\"&lt;Categories&gt;&lt;Category Assigned=&quot;1&quot;&gt;\
         Rain &amp;amp; Snow&lt;/Category&gt;&lt;/Categories&gt;\"",
    ];
    check_lines(DIGIKAM, &tagged(&["Rain & Snow"]), &gone, &come);
}

#[test]
fn copies_of_other_programs_follow_their_mark() {
    let caption = |caption| MarksChange {
        caption,
        ..MarksChange::default()
    };
    let set = caption(CaptionChange::Set("two\nlines".to_owned()));
    let after = edited(text(DIGIKAM), &set);
    assert!(!after.contains("清水寺"), "{after}");
    assert_eq!(after.matches(">two\nlines</rdf:li>").count(), 3);
    assert!(after.contains("acdsee:notes=\"two&#10;lines\""), "{after}");
    let without = edited(&after, &caption(CaptionChange::Clear));
    for name in ["description", "UserComment", "ImageDescription", "notes"] {
        assert!(!without.contains(&format!(":{name}")), "{without}");
    }
    // A text of its own is not a copy.
    let theirs = text(DIGIKAM).replace("notes=\"清水寺", "notes=\"by train");
    let after = edited(&theirs, &set);
    assert!(after.contains("acdsee:notes=\"by train\""), "{after}");
    let after = edited(text(DIGIKAM), &dated(Some("2024-11-24T08:15:00")));
    assert_eq!(after.matches("\"2024-11-24T08:15:00\"").count(), 2);
    assert_eq!(
        read(edited(&after, &dated(None)).as_bytes()).unwrap().taken,
        None
    );
}

#[test]
fn marks_in_copies_alone_are_read() {
    let alone = text(DIGIKAM)
        .replace("xmp:Rating=\"4\"", "")
        .replace("exif:DateTimeOriginal=\"2024-11-23T08:15:00\"", "");
    let found = read(alone.as_bytes()).unwrap();
    assert_eq!(found.rating, Some(Rating::Four));
    assert_eq!(found.taken, "2024-11-23T08:15:00".parse().ok());
    let percent = alone.replace("acdsee:rating=\"4\"", "");
    assert_eq!(read(percent.as_bytes()).unwrap().rating, Some(Rating::Four));
    let cleared = edited(&percent, &super::rated(RatingChange::Clear));
    assert!(cleared.contains("MicrosoftPhoto:Rating=\"0\""), "{cleared}");
    let title = crate::read(DIGIKAM).unwrap().title;
    assert_eq!(title.as_deref(), Some("Autumn"));
}

#[test]
fn darktable_path_levels_follow_their_path() {
    let stay = tagged(&["Places/Japan/Kyoto"]);
    let gone = ["<rdf:li>autumn</rdf:li>", "<rdf:li>autumn</rdf:li>"];
    let list = [
        "<digiKam:TagsList xmlns:digiKam=\"http://www.digikam.org/ns/1.0/\">",
        "<rdf:Seq>",
        "<rdf:li>Places/Japan/Kyoto</rdf:li>",
        "</rdf:Seq>",
        "</digiKam:TagsList>",
    ];
    check_lines(DARKTABLE, &stay, &gone, &list);
    let go = edited(text(DARKTABLE), &tagged(&["autumn"]));
    for name in ["Places", "Japan", "Kyoto"] {
        assert!(!go.contains(name), "{go}");
    }
}

#[test]
fn lightroom_names_with_slashes_are_kept() {
    let after = edited(text(LIGHTROOM), &tagged(&["Music/AC/DC", "stage", "new"]));
    for kept in [
        "<rdf:li>AC/DC</rdf:li>",
        "<rdf:li>Music|AC/DC</rdf:li>",
        "<rdf:li>Music/AC/DC</rdf:li>",
    ] {
        assert_eq!(after.matches(kept).count(), 1, "{after}");
    }
    assert!(!after.contains("<rdf:li>DC</rdf:li>"), "{after}");
    assert!(after.ends_with("\n<?xpacket end=\"w\"?>\n"));
}

#[test]
fn removing_the_last_tag_removes_its_properties() {
    let after = edited(text(DIGIKAM), &tagged(&[]));
    for name in [
        "TagsList",
        "LastKeywordXMP",
        "hierarchicalSubject",
        "CatalogSets",
        "dc:subject",
        "acdsee:categories",
    ] {
        assert!(!after.contains(name), "{after}");
    }
    assert!(after.contains("   tiff:Orientation=\"1\">\n   <dc:description>\n"));
    // If they are added again, the text is as before.
    let again = edited(&after, &tagged(&["a"]));
    assert_eq!(edited(&again, &tagged(&[])), after);
}

#[test]
fn own_categories_of_acdsee_are_kept() {
    let theirs = text(DIGIKAM).replace("Kyoto&lt;/C", "Oslo&lt;/C");
    assert_ne!(theirs, text(DIGIKAM));
    for names in [&["x"][..], &[]] {
        let after = edited(&theirs, &tagged(names));
        assert!(after.contains("Oslo&lt;/Category&gt;"), "{after}");
    }
}

#[test]
fn utf_16_stays_utf_16() {
    let plain = edit(Some(DARKTABLE), &tagged(&["Snow & Æther 😀"])).unwrap();
    let wide = edit(Some(WIDE), &tagged(&["Snow & Æther 😀"])).unwrap();
    let plain = String::from_utf8(plain).unwrap();
    let expected = plain
        .replace("encoding=\"UTF-8\"", "encoding=\"UTF-16\"")
        .replace('\n', "\r\n");
    let expected = format!("\u{feff}{expected}");
    let expected: Vec<u8> = expected.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(wide == expected);
}

#[test]
fn truncated_sidecar_is_refused_or_equivalent() {
    for sample in ALL {
        let expected = read(sample).unwrap();
        let change = tagged(&["x"]);
        let mut refused = 0;
        for end in 0..sample.len() {
            match (read(&sample[..end]), edit(Some(&sample[..end]), &change)) {
                (Ok(marks), Ok(_)) => assert_eq!(marks, expected),
                (Err(_), Err(_)) => refused += 1,
                (read, edit) => panic!("{end}: {read:?}, {edit:?}"),
            }
        }
        assert!(refused > 300);
    }
}

#[test]
fn new_sidecar_has_the_layout_of_exiv2() {
    let new = edit(
        None,
        &to(&marks(Some(Rating::Three), &["Places/Japan", "<&>"])),
    )
    .unwrap();
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Fumikura">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:digiKam="http://www.digikam.org/ns/1.0/"
    xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/">
   <xmp:Rating>3</xmp:Rating>
   <digiKam:TagsList>
    <rdf:Seq>
     <rdf:li>Places/Japan</rdf:li>
     <rdf:li>&lt;&amp;&gt;</rdf:li>
    </rdf:Seq>
   </digiKam:TagsList>
   <lr:hierarchicalSubject>
    <rdf:Bag>
     <rdf:li>Places|Japan</rdf:li>
     <rdf:li>&lt;&amp;&gt;</rdf:li>
    </rdf:Bag>
   </lr:hierarchicalSubject>
   <dc:subject>
    <rdf:Bag>
     <rdf:li>Japan</rdf:li>
     <rdf:li>&lt;&amp;&gt;</rdf:li>
    </rdf:Bag>
   </dc:subject>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
"#;
    assert_eq!(String::from_utf8(new).unwrap(), expected);
    let only_rated = edit(None, &rated(RatingChange::Set(Rating::One))).unwrap();
    assert!(!text(&only_rated).contains("digikam"));
    let nothing = edit(None, &MarksChange::default()).unwrap();
    assert_eq!(read(&nothing).unwrap(), Marks::default());
}
