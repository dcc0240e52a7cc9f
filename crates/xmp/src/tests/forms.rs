//! The equivalent forms of RDF, and the forms that are refused.

use super::*;

#[track_caller]
fn check(properties: &str, rating: Option<Rating>, names: &[&str]) {
    assert_eq!(
        read(packet(properties).as_bytes()).unwrap(),
        marks(rating, names)
    );
}

#[track_caller]
fn check_edit(properties: &str, change: &MarksChange, expected: &str) {
    assert_eq!(edited(&packet(properties), change), packet(expected));
}

#[track_caller]
fn refused(sidecar: &[u8]) -> SidecarError {
    let error = read(sidecar).unwrap_err();
    let also = edit(Some(sidecar), &tagged(&["x"])).unwrap_err();
    assert_eq!(error.to_string(), also.to_string());
    error
}

#[test]
fn every_form_of_a_value_is_read() {
    let one = |property: &str| format!("<r:Description>{property}</r:Description>");
    check("<r:Description xmp:Rating='2'/>", Some(Rating::Two), &[]);
    check(
        "<r:Description/><r:Description xmp:Rating=' 5.0 '/>",
        Some(Rating::Five),
        &[],
    );
    check(
        "<r:Description dc:subject='one, two'/>",
        None,
        &["one, two"],
    );
    check(&one("<dc:subject> one </dc:subject>"), None, &["one"]);
    check(
        &one("<dc:subject><r:Seq><r:li>a</r:li><r:li>b<!-- c -->d</r:li></r:Seq></dc:subject>"),
        None,
        &["a", "bd"],
    );
    check(
        &one(
            "<dc:subject><r:Alt><r:li xml:lang='en'><![CDATA[<a>]]>&#x20;&amp;</r:li></r:Alt></dc:subject>",
        ),
        None,
        &["<a> &"],
    );
    check(
        &one(
            "<dc:subject><r:Bag><r:li r:parseType='Resource'><r:value>a</r:value><xmp:x/></r:li>\
              <r:li><r:Description><r:value>b</r:value></r:Description></r:li>\
              <r:li r:value='c' xmp:x=''/><r:li/><r:li r:resource='d'/></r:Bag></dc:subject>",
        ),
        None,
        &["a", "b", "c"],
    );
    check(&one("<dc:subject r:resource='a'/>"), None, &[]);
    // It is in no namespace, or inside another element.
    check(
        &one("<subject>a</subject><dc:x><dc:subject>a</dc:subject></dc:x>"),
        None,
        &[],
    );
    check("<r:Description Rating='2' dc:Rating='2'/>", None, &[]);
    check(&one("<xmp:Rating>9</xmp:Rating>"), None, &[]);
}

#[test]
fn namespaces_matter_not_prefixes() {
    let text = "<RDF xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
                <Description xmlns:dc='http://ns.adobe.com/xap/1.0/' dc:Rating='3'>\
                <subject xmlns='http://purl.org/dc/elements/1.1/'>\
                <Bag xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><li>a</li></Bag>\
                </subject></Description></RDF>";
    assert_eq!(
        read(text.as_bytes()).unwrap(),
        marks(Some(Rating::Three), &["a"])
    );
    let after = edited(text, &tagged(&["a", "b"]));
    assert!(after.contains(
        "<Bag xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><li>a</li><li>b</li></Bag>"
    ));
    let list = "<digiKam:TagsList xmlns:digiKam=\"http://www.digikam.org/ns/1.0/\">\
                <Seq><li>a</li><li>b</li></Seq></digiKam:TagsList>";
    assert!(after.contains(list), "{after}");
    assert_eq!(
        read(after.as_bytes()).unwrap(),
        marks(Some(Rating::Three), &["a", "b"])
    );
    // The usual prefix has another meaning there.
    let taken = "<lr:RDF xmlns:lr='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
                 <lr:Description xmlns:xmp='urn:other'/></lr:RDF>";
    let after = edited(taken, &to(&marks(Some(Rating::One), &["a"])));
    assert!(after.contains("<xmp2:Rating xmlns:xmp2=\"http://ns.adobe.com/xap/1.0/\">1</"));
    assert!(after.contains("<lr2:hierarchicalSubject "), "{after}");
}

#[test]
fn single_values_become_lists_and_duplicates_merge() {
    let lists = |names: [&str; 3]| {
        let [a, b, c] = names;
        format!(
            "<dk:TagsList><r:Seq>{a}</r:Seq></dk:TagsList>\
             <lr:hierarchicalSubject><r:Bag>{b}</r:Bag></lr:hierarchicalSubject>{c}"
        )
    };
    let items = "<r:li>a</r:li><r:li>b</r:li>";
    let new_subject = format!("<dc:subject><r:Bag>{items}</r:Bag></dc:subject>");
    check_edit(
        "<r:Description dc:subject='a' xmp:Rating='1'/>",
        &tagged(&["a", "b"]),
        &format!(
            "<r:Description xmp:Rating='1'>{}</r:Description>",
            lists([items, items, &new_subject])
        ),
    );
    check_edit(
        "<r:Description><dc:subject>a</dc:subject></r:Description>",
        &tagged(&["a", "b"]),
        &format!(
            "<r:Description>{new_subject}{}</r:Description>",
            lists([items, items, ""])
        ),
    );
    check_edit(
        "<r:Description xmp:Rating='1'/><r:Description><xmp:Rating>2</xmp:Rating><xmp:x/></r:Description>",
        &rated(RatingChange::Set(Rating::Four)),
        "<r:Description xmp:Rating='4'/><r:Description><xmp:x/></r:Description>",
    );
    check_edit(
        "<r:Description dc:subject='a'><dc:subject><r:Alt/></dc:subject></r:Description>",
        &tagged(&[]),
        "<r:Description></r:Description>",
    );
    check_edit(
        "<r:Description><xmp:Rating/></r:Description>",
        &rated(RatingChange::Set(Rating::Four)),
        "<r:Description><xmp:Rating>4</xmp:Rating></r:Description>",
    );
}

#[test]
fn missing_description_is_created() {
    check_edit(
        "",
        &rated(RatingChange::Set(Rating::Four)),
        "<r:Description r:about=\"\"><xmp:Rating>4</xmp:Rating></r:Description>",
    );
    let text = "<x>\n\t<RDF xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>\n</x>";
    let after = edited(text, &rated(RatingChange::Set(Rating::Four)));
    let expected = "<x>\n\t<RDF xmlns='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
                    \n\t <Description>\
                    \n\t  <xmp:Rating xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">4</xmp:Rating>\
                    \n\t </Description>\n\t</RDF>\n</x>";
    assert_eq!(after, expected);
}

#[test]
fn edits_keep_items_and_comments_in_place() {
    let list = |items: &str| {
        format!("<r:Description><dk:TagsList><r:Seq>{items}</r:Seq></dk:TagsList></r:Description>")
    };
    let with = |items: &str| {
        // The other items are written again, in the requested order.
        let after = edited(
            &packet(&list(
                "<!--1--> <r:li>a</r:li> <!--2--> <r:li xml:lang='x'>b</r:li> <r:li>c</r:li><!--3-->",
            )),
            &tagged(&items.split(' ').collect::<Vec<_>>()),
        );
        let start = after.find("<r:Seq>").unwrap() + 7;
        after[start..after.find("</r:Seq>").unwrap()].to_owned()
    };
    assert_eq!(
        with("a c"),
        "<!--1--> <r:li>a</r:li> <!--2--> <r:li>c</r:li><!--3-->"
    );
    assert_eq!(
        with("b c d"),
        "<!--1--> <!--2--> <r:li xml:lang='x'>b</r:li> <r:li>c</r:li> <r:li>d</r:li><!--3-->"
    );
    assert_eq!(
        with("x a b c"),
        "<!--1--> <r:li>x</r:li> <r:li>a</r:li> <!--2--> <r:li xml:lang='x'>b</r:li> <r:li>c</r:li><!--3-->"
    );
    assert_eq!(
        with("c b a"),
        "<!--1--> <!--2--> <r:li>c</r:li> <r:li xml:lang='x'>b</r:li> <r:li>a</r:li><!--3-->"
    );
}

#[test]
fn unknown_items_are_kept() {
    let foreign = "<r:li r:resource='urn:x'/>";
    check_edit(
        &format!(
            "<r:Description><dc:subject><r:Bag><r:li>a</r:li>{foreign}</r:Bag></dc:subject></r:Description>"
        ),
        &tagged(&[]),
        &format!(
            "<r:Description><dc:subject><r:Bag>{foreign}</r:Bag></dc:subject></r:Description>"
        ),
    );
}

#[test]
fn tags_with_too_many_levels_are_kept() {
    let deep = vec!["n"; 21].join("/");
    let list = |items: &[&str]| {
        let items: String = items
            .iter()
            .map(|item| format!("<r:li>{item}</r:li>"))
            .collect();
        format!("<r:Seq>{items}</r:Seq>")
    };
    let bag = |items: &[&str]| list(items).replace("Seq", "Bag");
    let described = |tags: &str, paths: &str, subject: &str| {
        format!(
            "<r:Description><dk:TagsList>{tags}</dk:TagsList>\
             <lr:hierarchicalSubject>{paths}</lr:hierarchicalSubject>\
             <dc:subject>{subject}</dc:subject></r:Description>"
        )
    };
    let with_a = described(&list(&["a", &deep]), &bag(&[&deep, "a"]), &bag(&["a", "/"]));
    let with_b = described(&list(&["b", &deep]), &bag(&["b", &deep]), &bag(&["b", "/"]));
    check_edit(&with_a, &tagged(&["b"]), &with_b);
    let without = described(&list(&[&deep]), &bag(&[&deep]), &bag(&["/"]));
    check_edit(&with_a, &tagged(&[]), &without);
    // If it is not an item of a list, the first other tag converts the property to a list.
    let text = described("a", &deep, &bag(&["a"]));
    let listed = described(
        &list(&["a", "b"]),
        &bag(&[&deep, "a", "b"]),
        &bag(&["a", "b"]),
    );
    check_edit(&text, &tagged(&["a", "b"]), &listed);
    check_edit(
        &text,
        &tagged(&[]),
        &format!(
            "<r:Description><lr:hierarchicalSubject>{deep}</lr:hierarchicalSubject></r:Description>"
        ),
    );
    let attribute = format!("<r:Description dc:subject='{deep}'/>");
    let after = edited(&packet(&attribute), &tagged(&["a"]));
    assert!(!after.contains("dc:subject="), "{after}");
    let subject = format!("<dc:subject>{}</dc:subject>", bag(&[&deep, "a"]));
    assert!(after.contains(&subject), "{after}");
}

#[test]
fn ambiguous_properties_are_not_changed() {
    let change = to(&marks(Some(Rating::One), &["a"]));
    for (properties, label) in [
        ("<dc:subject r:resource='a'/>", "dc:subject"),
        ("<dc:subject r:parseType='Resource'/>", "dc:subject"),
        (
            "<dk:TagsList><r:Seq/><r:Seq/></dk:TagsList>",
            "digiKam:TagsList",
        ),
        (
            "<lr:hierarchicalSubject><x/></lr:hierarchicalSubject>",
            "lr:hierarchicalSubject",
        ),
        ("<xmp:Rating><r:Bag/></xmp:Rating>", "xmp:Rating"),
        ("<xmp:Rating xmp:x='1'/>", "xmp:Rating"),
    ] {
        let sidecar = packet(&format!("<r:Description>{properties}</r:Description>"));
        assert_eq!(read(sidecar.as_bytes()).unwrap(), Marks::default());
        match edit(Some(sidecar.as_bytes()), &change) {
            Err(SidecarError::Unsupported(what)) => assert_eq!(what, label),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn non_sidecars_are_refused() {
    use SidecarError as E;
    assert!(matches!(refused(b""), E::Broken(_)));
    assert!(matches!(refused(b"\xFF\xD8\xFF\xE1"), E::Encoding));
    assert!(matches!(refused(b"GIF89a"), E::Broken(_)));
    assert!(matches!(refused(b"<html/>"), E::NotXmp));
    let two = packet("") + &packet("");
    assert!(matches!(refused(two.as_bytes()), E::Broken(_)));
    let two = format!("<x>{two}</x>");
    assert!(matches!(refused(two.as_bytes()), E::NotXmp));
    assert!(matches!(refused(packet("&nbsp;").as_bytes()), E::Broken(_)));
    assert!(matches!(refused(packet("<x:y/>").as_bytes()), E::Broken(_)));
    let doctype = format!("<!DOCTYPE x [<!ENTITY a 'b'>]>{}", packet("&a;"));
    assert!(matches!(refused(doctype.as_bytes()), E::Doctype));
    let deep = packet(&("<x>".repeat(100) + &"</x>".repeat(100)));
    assert!(matches!(refused(deep.as_bytes()), E::TooMuch("levels")));
    let many = "<r:li>a</r:li>".repeat(10_001);
    let many =
        format!("<r:Description><dc:subject><r:Bag>{many}</r:Bag></dc:subject></r:Description>");
    assert!(matches!(
        refused(packet(&many).as_bytes()),
        E::TooMuch("tags")
    ));
    let large = vec![b' '; (16 << 20) + 1];
    assert!(matches!(refused(&large), E::TooLarge));
}

#[test]
fn edit_beyond_the_size_limit_is_refused() {
    let room = " ".repeat((16 << 20) - packet("").len());
    let sidecar = packet(&room);
    assert_eq!(read(sidecar.as_bytes()).unwrap(), Marks::default());
    let result = edit(Some(sidecar.as_bytes()), &tagged(&["a"]));
    assert!(matches!(result, Err(SidecarError::TooLarge)));
}

#[test]
fn date_taken_is_replaced_in_place() {
    let exif = "xmlns:exif='http://ns.adobe.com/exif/1.0/'";
    let attribute = |date: &str| {
        let of_properties = format!("{exif} exif:DateTimeOriginal='{date}' xmp:Rating='3'");
        packet(&format!("<r:Description {of_properties}/>"))
    };
    let element = |date: &str| {
        let property = format!("<exif:DateTimeOriginal {exif}>{date}</exif:DateTimeOriginal>");
        packet(&format!("<r:Description>{property}</r:Description>"))
    };
    for form in [&attribute as &dyn Fn(&str) -> String, &element] {
        let before = form("2024:05:06 07:08:09");
        let read = read(before.as_bytes()).unwrap().taken.unwrap();
        assert_eq!(read.to_string(), "2024-05-06T07:08:09");
        let after = "2024-05-07T07:08:09";
        assert_eq!(edited(&before, &dated(Some(after))), form(after));
        assert!(!edited(&before, &dated(None)).contains("DateTimeOriginal"));
    }
}

#[test]
fn orientation_is_read_and_replaced_in_place() {
    let tiff = "xmlns:tiff='http://ns.adobe.com/tiff/1.0/'";
    let read_in = |properties: &str| read(packet(properties).as_bytes()).unwrap().orientation;
    let attribute = |number: &str| {
        format!("<r:Description {tiff} tiff:Orientation='{number}' xmp:Rating='3'/>")
    };
    let element = |number: &str| {
        format!(
            "<r:Description><tiff:Orientation {tiff}>{number}</tiff:Orientation></r:Description>"
        )
    };
    assert_eq!(read_in(&attribute("6")), Some(6));
    assert_eq!(read_in(&element(" 8 ")), Some(8));
    for number in ["0", "9", "-1", "", "1.5", "left"] {
        assert_eq!(read_in(&attribute(number)), None, "{number:?}");
    }
    for form in [&attribute as &dyn Fn(&str) -> String, &element] {
        assert_eq!(
            edited(&packet(&form("1")), &oriented(6)),
            packet(&form("6"))
        );
        let cleared = edited(&packet(&form("1")), &oriented(0));
        assert!(!cleared.contains("Orientation"), "{cleared}");
        assert!(!cleared.contains("Rating") || cleared.contains("xmp:Rating='3'"));
    }
}

#[test]
fn crop_of_camera_raw_is_read_and_replaced() {
    let crs = "xmlns:crs='http://ns.adobe.com/camera-raw-settings/1.0/'";
    let read_in = |properties: &str| read(packet(properties).as_bytes()).unwrap().crop;
    let attributes = |has: &str, sides: &str| {
        format!(
            "<r:Description {crs} crs:Exposure2012='+0.35' crs:HasCrop='{has}' {sides} crs:CropConstrainToWarp='0'/>"
        )
    };
    let sides = |top: &str, angle: &str| {
        format!(
            "crs:CropTop='{top}' crs:CropLeft='0.25' crs:CropBottom='0.9' crs:CropRight='1' crs:CropAngle='{angle}'"
        )
    };
    let crop = |top, angle| CameraRawCrop::new([top, 0.25, 0.9, 1.0], angle);
    let read_sides = |top, angle| read_in(&attributes("True", &sides(top, angle)));
    assert_eq!(read_sides(" 0.123456 ", "-1.65"), crop(0.123_456, -1.65));
    assert_eq!(
        read_in(&attributes("true", "crs:CropLeft='0.5'")),
        CameraRawCrop::new([0.0, 0.5, 1.0, 1.0], 0.0)
    );
    for (top, angle) in [
        ("", "0"),
        ("NaN", "0"),
        ("inf", "0"),
        ("-1e99", "0"),
        ("half", "0"),
        ("0,5", "0"),
        ("0.1", "90"),
        ("0.1", "°"),
    ] {
        assert_eq!(read_sides(top, angle), None, "{top} {angle}");
    }
    for has in ["False", "", "1"] {
        assert_eq!(read_in(&attributes(has, &sides("0.1", "0"))), None);
    }
    let applied = format!("{} crs:AlreadyApplied='True'", sides("0.1", "0"));
    assert_eq!(read_in(&attributes("True", &applied)), None);
    assert!(
        edit(
            Some(packet(&attributes("True", &applied)).as_bytes()),
            &cropped(crop(0.2, 0.0))
        )
        .is_err()
    );
    // Other settings stay as they are.
    check_edit(
        &attributes("False", &sides("0", "0")),
        &cropped(crop(0.1, -12.345_678)),
        &attributes("True", &sides("0.1", "-12.345678")),
    );
    let cleared = edited(
        &packet(&attributes("True", &sides("0.1", "2"))),
        &cropped(None),
    );
    assert!(
        cleared.contains("crs:Exposure2012='+0.35'")
            && cleared.contains("crs:CropConstrainToWarp='0'")
    );
    assert!(
        !cleared.contains("CropTop") && !cleared.contains("HasCrop"),
        "{cleared}"
    );
}
