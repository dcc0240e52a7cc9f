//! The ids of the wiki. Each is a ULID: its first 48 bits are the time of its creation.

fumikura_base::ulid_ids! {
    /// A page or a draft. The id is permanent and independent of the path.
    PageId;
    /// A file that belongs to a page.
    AssetId;
    UserId;
    /// The right to change a page. Its time part is the start of the lock's five minutes
    /// (docs/spec/wiki.md, Locks). The rest is random each time, so that it can't be guessed.
    LockToken;
    /// A deletion: of one page, or of a page with its subpages.
    DeletionId;
    /// An import from another program.
    MigrationId;
    /// An autosave entry.
    AutosaveId;
    /// A browser session, as it is listed. Its secret can't be derived from it.
    SessionId;
    /// A picture root. The wiki knows nothing else of it.
    FolderRootId;
}
