//! The errors of reading and writing marks.

use std::io;
use std::sync::Arc;

use fumikura_fs::AccessError;

/// A reason why a picture's marks can't be read or written. A sidecar that is refused stays as it is.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SidecarError {
    /// The picture, its folder or its sidecar can't be reached.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The file is not a picture by its name: a listing would show neither its marks nor its sidecar as a part
    /// of it.
    #[error("only pictures can be rated and tagged")]
    NotAPicture,
    /// A part of the crop is outside the picture.
    #[error("the crop is not inside the picture")]
    CropOutside,
    /// The sidecar has more bytes than any real sidecar.
    #[error("the sidecar is larger than 16 MiB")]
    TooLarge,
    /// The sidecar has more elements, attributes, levels or tags than any real sidecar.
    #[error("the sidecar has too many {0}")]
    TooMuch(&'static str),
    /// The text is neither UTF-8 nor UTF-16, or it declares another encoding.
    #[error("the sidecar has an encoding that XMP does not allow")]
    Encoding,
    /// The text has a document type definition, which XMP does not allow and which is used for attacks on XML parsers.
    #[error("the sidecar contains a document type definition, which XMP does not allow")]
    Doctype,
    /// The text is no XML.
    #[error("the sidecar is damaged: {0}")]
    Broken(String),
    /// The text is XML, but has not exactly one `rdf:RDF`.
    #[error("the sidecar isn't XMP")]
    NotXmp,
    /// A property has a form that XMP does not define for it, so that the effect of a change is unknown.
    #[error("the sidecar stores {0} in a form that can't be changed")]
    Unsupported(&'static str),
    /// The sidecar is a symbolic link, and is only read: a write would replace the link by a file.
    #[error("the sidecar is a symbolic link, which is never changed")]
    Link,
    /// The sidecar is a symbolic link to nothing.
    #[error("the sidecar is a symbolic link that leads to nothing")]
    DanglingLink,
    /// The sidecar, its folder or the file system is read-only.
    #[error("the sidecar or its folder is read-only")]
    ReadOnly,
    /// The disk has no space for it.
    #[error("there is no space left for the sidecar")]
    Full,
    /// The picture's name is so long that the sidecar's name exceeds the limit.
    #[error("the picture's name is too long for a sidecar beside it")]
    NameTooLong,
    /// Another program wrote it repeatedly during the change.
    #[error("another program keeps changing the sidecar")]
    Contended,
    /// The file system failed.
    #[error("writing the sidecar failed: {0}")]
    Io(#[source] Arc<io::Error>),
}

impl SidecarError {
    /// Converts the system's error of a write.
    pub(super) fn writing(error: io::Error) -> Self {
        use io::ErrorKind as Kind;
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the system has more errors than concern us"
        )]
        match error.kind() {
            Kind::ReadOnlyFilesystem | Kind::PermissionDenied => Self::ReadOnly,
            Kind::StorageFull | Kind::QuotaExceeded => Self::Full,
            Kind::InvalidFilename => Self::NameTooLong,
            _ => Self::Io(Arc::new(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn system_errors_map_to_sidecar_errors() {
        let of = |errno: Errno| SidecarError::writing(errno.into());
        assert!(matches!(of(Errno::ROFS), SidecarError::ReadOnly));
        assert!(matches!(of(Errno::ACCESS), SidecarError::ReadOnly));
        assert!(matches!(of(Errno::PERM), SidecarError::ReadOnly));
        assert!(matches!(of(Errno::NOSPC), SidecarError::Full));
        assert!(matches!(of(Errno::DQUOT), SidecarError::Full));
        assert!(matches!(of(Errno::NAMETOOLONG), SidecarError::NameTooLong));
        assert!(matches!(of(Errno::IO), SidecarError::Io(_)));
    }
}
