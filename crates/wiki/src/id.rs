//! The ids of the wiki's things. Each is a ULID: its first 48 bits are the moment it was made.

fumikura_base::ulid_ids! {
    /// A page or a draft, for its whole life, whatever its path.
    PageId;
    /// A file that belongs to a page.
    AssetId;
    /// A person.
    UserId;
    /// The right to change a page. Its time part is the moment from which the lock's five minutes
    /// count (docs/spec/wiki.md, Locks); the rest is fresh randomness each time, so that nobody guesses it.
    LockToken;
    /// A deletion: of one page, or of a page with those beneath it.
    DeletionId;
    /// A piece of unsaved text.
    JournalId;
    /// A session of a browser, as it is listed. Nothing about its secret can be worked out from it.
    SessionId;
    /// A root of the pictures, of which nothing else is known here.
    FolderRootId;
}
