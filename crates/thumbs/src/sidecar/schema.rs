//! The properties that tell of ratings and tags, by their namespaces: prefixes are each program's own affair.

pub(super) const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/// A property: one name, or one that programs write in two namespaces.
pub(super) struct Property {
    /// As messages show it, and as it is written where the file has no prefix for its namespace.
    pub(super) label: &'static str,
    /// The first is the one that we write.
    pub(super) namespaces: &'static [&'static str],
}

impl Property {
    pub(super) fn prefix(&self) -> &'static str {
        self.label.split_once(':').expect("BUG: a label has both").0
    }

    pub(super) fn name(&self) -> &'static str {
        self.label.split_once(':').expect("BUG: a label has both").1
    }
}

pub(super) static RATING: Property = Property {
    label: "xmp:Rating",
    namespaces: &["http://ns.adobe.com/xap/1.0/"],
};

/// Keywords without paths: those of Dublin Core, an `rdf:Bag`.
pub(super) static SUBJECT: Property = Property {
    label: "dc:subject",
    namespaces: &["http://purl.org/dc/elements/1.1/"],
};

/// The caption: an `rdf:Alt` of texts in several languages.
pub(super) static DESCRIPTION: Property = Property {
    label: "dc:description",
    namespaces: &["http://purl.org/dc/elements/1.1/"],
};

/// The categories of ACDSee: a text that looks like XML.
pub(super) static CATEGORIES: Property = Property {
    label: "acdsee:categories",
    namespaces: &["http://ns.acdsee.com/iptc/1.0/"],
};

/// A property that lists paths.
pub(super) struct Paths {
    pub(super) property: Property,
    /// What its owner writes between levels. Read are both.
    pub(super) separator: char,
    /// The array that its owner writes.
    pub(super) array: &'static str,
    /// Whether it is written where it is not there already.
    pub(super) always: bool,
}

/// All that list paths, in the order in which digiKam asks them (`DMetadataSettingsContainer::defaultTagValues`): it
/// reads the first that is not empty, and writes them all. So one that is there must not be left behind with a tag
/// that was taken away: it would come back as soon as those before it are empty. darktable reads
/// `lr:hierarchicalSubject` or, without it, `dc:subject` (`_exif_decode_xmp_data`), and keeps all others as they are.
/// Lightroom writes `dc:subject` and `lr:hierarchicalSubject`.
pub(super) static PATHS: [Paths; 5] = [
    Paths {
        property: Property {
            label: "digiKam:TagsList",
            namespaces: &["http://www.digikam.org/ns/1.0/"],
        },
        separator: '/',
        array: "Seq",
        always: true,
    },
    Paths {
        property: Property {
            label: "MicrosoftPhoto:LastKeywordXMP",
            // Exiv2, and with it digiKam, has the slash; ExifTool doesn't.
            namespaces: &[
                "http://ns.microsoft.com/photo/1.0/",
                "http://ns.microsoft.com/photo/1.0",
            ],
        },
        separator: '/',
        array: "Bag",
        always: false,
    },
    Paths {
        property: Property {
            label: "lr:hierarchicalSubject",
            namespaces: &["http://ns.adobe.com/lightroom/1.0/"],
        },
        separator: '|',
        array: "Bag",
        always: true,
    },
    Paths {
        property: Property {
            // What old versions of digiKam wrote.
            label: "lr:HierarchicalSubject",
            namespaces: &["http://ns.adobe.com/lightroom/1.0/"],
        },
        separator: '|',
        array: "Seq",
        always: false,
    },
    Paths {
        property: Property {
            label: "mediapro:CatalogSets",
            namespaces: &["http://ns.iview-multimedia.com/mediapro/1.0/"],
        },
        separator: '|',
        array: "Bag",
        always: false,
    },
];
