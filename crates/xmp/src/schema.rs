//! The properties of ratings, tags, texts, orientations, crops and dates, by their namespaces: each program chooses its own prefixes.

/// The namespace of the element around `rdf:RDF`.
pub(super) const META: &str = "adobe:ns:meta/";
pub(super) const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

/// A property with one name, in one or two namespaces.
pub(super) struct Property {
    /// The name in messages, and in the file if it has no prefix for the namespace.
    pub(super) label: &'static str,
    /// The namespaces. The first is the one that is written.
    pub(super) namespaces: &'static [&'static str],
}

impl Property {
    pub(super) fn prefix(&self) -> &'static str {
        self.label
            .split_once(':')
            .expect("BUG: a label has a prefix and a name")
            .0
    }

    pub(super) fn name(&self) -> &'static str {
        self.label
            .split_once(':')
            .expect("BUG: a label has a prefix and a name")
            .1
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

/// The orientation, as EXIF numbers it.
pub(super) static ORIENTATION: Property = Property {
    label: "tiff:Orientation",
    namespaces: &["http://ns.adobe.com/tiff/1.0/"],
};

/// The date on which the picture was taken.
pub(super) static TAKEN: Property = Property {
    label: "exif:DateTimeOriginal",
    namespaces: &["http://ns.adobe.com/exif/1.0/"],
};

/// The settings of Camera Raw that crop a picture: true or false, and fractions or degrees.
const CAMERA_RAW: &[&str] = &["http://ns.adobe.com/camera-raw-settings/1.0/"];

pub(super) static HAS_CROP: Property = Property {
    label: "crs:HasCrop",
    namespaces: CAMERA_RAW,
};

/// True if the pixels have been cropped already.
pub(super) static ALREADY_APPLIED: Property = Property {
    label: "crs:AlreadyApplied",
    namespaces: CAMERA_RAW,
};

pub(super) static CROP_TOP: Property = Property {
    label: "crs:CropTop",
    namespaces: CAMERA_RAW,
};

pub(super) static CROP_LEFT: Property = Property {
    label: "crs:CropLeft",
    namespaces: CAMERA_RAW,
};

pub(super) static CROP_BOTTOM: Property = Property {
    label: "crs:CropBottom",
    namespaces: CAMERA_RAW,
};

pub(super) static CROP_RIGHT: Property = Property {
    label: "crs:CropRight",
    namespaces: CAMERA_RAW,
};

pub(super) static CROP_ANGLE: Property = Property {
    label: "crs:CropAngle",
    namespaces: CAMERA_RAW,
};

/// The title: an `rdf:Alt` of texts in several languages.
pub(super) static TITLE: Property = Property {
    label: "dc:title",
    namespaces: &["http://purl.org/dc/elements/1.1/"],
};

/// The rating that Windows writes: 1, 25, 50, 75 or 99.
pub(super) static RATING_PERCENT: Property = Property {
    label: "MicrosoftPhoto:Rating",
    namespaces: &[
        "http://ns.microsoft.com/photo/1.0/",
        "http://ns.microsoft.com/photo/1.0",
    ],
};

/// The rating that digiKam repeats for ACDSee: 0 to 5.
pub(super) static RATING_OF_ACDSEE: Property = Property {
    label: "acdsee:rating",
    namespaces: &["http://ns.acdsee.com/iptc/1.0/"],
};

/// The properties that repeat the caption in files of digiKam, which reads them where `dc:description` is missing.
pub(super) static CAPTION_COPIES: [Property; 3] = [
    Property {
        label: "exif:UserComment",
        namespaces: &["http://ns.adobe.com/exif/1.0/"],
    },
    Property {
        label: "tiff:ImageDescription",
        namespaces: &["http://ns.adobe.com/tiff/1.0/"],
    },
    Property {
        label: "acdsee:notes",
        namespaces: &["http://ns.acdsee.com/iptc/1.0/"],
    },
];

/// The date that Lightroom repeats, and that the Metadata Working Group names for the date of the picture.
pub(super) static CREATED: Property = Property {
    label: "photoshop:DateCreated",
    namespaces: &["http://ns.adobe.com/photoshop/1.0/"],
};

/// The categories of ACDSee: a text that looks like XML.
pub(super) static CATEGORIES: Property = Property {
    label: "acdsee:categories",
    namespaces: &["http://ns.acdsee.com/iptc/1.0/"],
};

/// A property that lists paths.
pub(super) struct Paths {
    pub(super) property: Property,
    /// The separator of levels that its owner writes. Both separators are read.
    pub(super) separator: char,
    /// The array that its owner writes.
    pub(super) array: &'static str,
    /// True if it is written even if it does not exist yet.
    pub(super) always: bool,
}

/// All properties that list paths, in the order in which digiKam reads them
/// (`DMetadataSettingsContainer::defaultTagValues`).
///
/// digiKam reads the first one that is not empty, and writes all of them. So an existing property must not keep
/// a removed tag: it would return as soon as the properties before it are empty. darktable reads
/// `lr:hierarchicalSubject` or, without it, `dc:subject` (`_exif_decode_xmp_data`), and keeps all others as
/// they are. Lightroom writes `dc:subject` and `lr:hierarchicalSubject`.
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
            // Exiv2, and therefore digiKam, writes the slash; ExifTool does not.
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
            // Old versions of digiKam wrote this name.
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
