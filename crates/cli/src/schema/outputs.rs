//! The forms of the lines that each command prints with `--json`.

use super::Form::{self, Answer, File, Item, Named, Object, OneOf, With, WithFile};

/// A page after a change.
const PAGE: Form = Object(&[("id", "string"), ("path", "string")]);
/// A page with the revision that has its text.
const SAVED_PAGE: Form = Object(&[
    ("id", "string"),
    ("path", "string"),
    ("revision", "integer|null"),
]);
/// The object to which an id belonged that is gone.
const GONE: Form = Object(&[("id", "string")]);
/// The outcome of an operation on files.
const FILES_DONE: Form = Named("FilesDone");
const REVISION: Form = Item("GET /api/pages/{page_id}/revisions", "items");
const ASSET: Form = Answer("GET /api/assets/{asset_id}/meta");
const MARKED: Form = WithFile(&Item("POST /api/files/marks", "marked"), "file");
const MIRROR: Form = Answer("GET /api/mirror");
const TTL_POLICY: Form = Answer("GET /api/ttl/default");

/// A finding of a run over files with hash records.
const FINDING: Form = Object(&[
    ("path", "string"),
    ("path_bytes?", "string"),
    ("state", "string"),
    ("expected", "string|null"),
    ("actual", "string|null"),
    ("size", "integer|null"),
    ("mtime", "string|null"),
    ("to?", "string"),
    ("to_bytes?", "string"),
    ("files?", "integer"),
    ("reason?", "string"),
]);
/// The last line of a run: the numbers of files in each state, and of entries that were skipped.
const RUN_SUMMARY: Form = Object(&[("summary", "object"), ("skipped", "object")]);
const HASH_RUN: Form = OneOf(&[FINDING, RUN_SUMMARY]);
const HASH_RECORD: Form = Object(&[
    ("path", "string"),
    ("path_bytes?", "string"),
    ("name", "string"),
    ("name_bytes?", "string"),
    ("kind", "string"),
    ("state", "string|null"),
    ("content_hash", "string"),
    ("size", "integer|null"),
    ("mtime", "string|null"),
    ("recorded_at", "string|null"),
    ("verified_at", "string|null"),
    ("is_lossy", "boolean"),
    ("is_newer", "boolean"),
    ("has_analysis", "boolean"),
]);
/// A file that is not a usable record.
const HASH_PROBLEM: Form = Object(&[
    ("name", "string"),
    ("name_bytes?", "string"),
    ("kind", "string"),
    ("state", "string"),
    ("path", "string|null"),
    ("path_bytes?", "string"),
    ("reason", "string"),
]);
const REMOVED_RECORD: Form = Object(&[
    ("path", "string"),
    ("path_bytes?", "string"),
    ("content_hash", "string"),
    ("size", "integer|null"),
    ("recorded_at", "string|null"),
    ("removed_at", "string|null"),
]);

const TTL_RUN: Form = Object(&[
    ("marked_blobs", "integer"),
    ("marked_manifests", "integer"),
    ("marked_gone", "integer"),
    ("artifacts", "integer"),
    ("bytes", "integer"),
    ("counts", "TtlCounts"),
]);
const CHECKED: Form = Object(&[
    ("pages", "integer"),
    ("revisions", "integer"),
    ("faults", "object[]"),
    ("repaired", "object[]"),
    ("copy", "string|null"),
    ("last_proved_backup", "string|null"),
]);
const BACKED_UP: Form = Object(&[
    ("folder", "string"),
    ("assets", "integer"),
    ("missing", "string[]"),
    ("proved", "boolean"),
    ("faults", "string[]"),
]);
const WENT_BACK: Form = Object(&[
    ("folder", "string|null"),
    ("name", "string"),
    ("taken_at", "string"),
    ("kept_as", "string|null"),
    ("is_in_place", "boolean"),
]);
const IMPORTED_NOTES: Form = Object(&[
    ("id", "string|null"),
    ("counts", "MigrationCounts"),
    ("skipped", "integer"),
    ("report", "string|null"),
]);
const IMPORTED_ARCHIVE: Form = Object(&[
    ("created", "integer"),
    ("replaced", "integer"),
    ("unchanged", "integer"),
    ("skipped", "integer"),
    ("assets", "integer"),
    ("ignored", "integer"),
    ("warnings", "object[]"),
    ("existing", "object[]"),
]);
const RESTORED_ARCHIVE: Form = Object(&[
    ("restored", "boolean"),
    ("users", "integer"),
    ("pages", "integer"),
    ("revisions", "integer"),
    ("assets", "integer"),
    ("missing", "string[]"),
]);

/// The commands and their forms, by name.
pub(super) const OUTPUTS: &[(&str, Form)] = &[
    ("album add", Answer("POST /api/albums/{id}/pictures")),
    ("album create", Answer("POST /api/albums")),
    ("album delete", Item("GET /api/albums", "")),
    ("album list", Item("GET /api/albums", "")),
    ("album remove", Answer("POST /api/albums/{id}/remove")),
    ("album rename", Answer("PUT /api/albums/{id}")),
    ("album show", Item("GET /api/albums/{id}", "pictures")),
    (
        "asset add",
        Answer("POST /api/pages/{page_id}/assets/{file_name}"),
    ),
    ("asset delete", ASSET),
    ("asset list", Item("GET /api/pages/{page_id}/assets", "")),
    ("asset move", ASSET),
    ("asset rename", Answer("POST /api/assets/{asset_id}/rename")),
    ("backup", BACKED_UP),
    ("backup copy", Object(&[("folder", "string|null")])),
    ("backup list", Answer("GET /api/backups")),
    (
        "backup restore",
        OneOf(&[
            Answer("POST /api/backups/{name}/pages/{page_id}/restore"),
            Answer("POST /api/backups/{name}/files/{asset_id}/restore"),
            Answer("POST /api/backups/{name}/records/restore"),
            WENT_BACK,
        ]),
    ),
    (
        "backup show",
        OneOf(&[
            Item("GET /api/backups/{name}/pages", "items"),
            Answer("GET /api/backups/{name}/pages/{page_id}"),
            Item("GET /api/backups/{name}/records", "items"),
        ]),
    ),
    ("check", CHECKED),
    ("cp", FILES_DONE),
    (
        "describe",
        WithFile(&Answer("POST /api/vision/scan"), "file"),
    ),
    (
        "doctor",
        Object(&[
            ("check", "string"),
            ("state", "string"),
            ("message", "string"),
        ]),
    ),
    (
        "events",
        Object(&[("id", "string"), ("event", "string"), ("data", "any")]),
    ),
    ("export", File("file")),
    ("folder add", Answer("POST /api/roots")),
    ("folder list", Item("GET /api/roots", "")),
    (
        "folder ls",
        WithFile(&Item("GET /api/folders", "entries"), "path"),
    ),
    ("folder remove", GONE),
    ("hash check", HASH_RUN),
    ("hash decode", Answer("GET /api/hashes/name")),
    (
        "hash list",
        OneOf(&[HASH_RECORD, HASH_PROBLEM, Object(&[("summary", "object")])]),
    ),
    ("hash migrate", HASH_RUN),
    ("hash name", Answer("GET /api/hashes/name")),
    ("hash record", HASH_RUN),
    ("hash removed", REMOVED_RECORD),
    ("hash tidy", HASH_RUN),
    ("hash verify", HASH_RUN),
    (
        "import",
        OneOf(&[
            IMPORTED_NOTES,
            IMPORTED_ARCHIVE,
            RESTORED_ARCHIVE,
            Answer("GET /api/imports/{id}/preview"),
            Item("GET /api/imports", "items"),
            Answer("POST /api/imports/{id}/undo"),
            Answer("GET /api/imported-texts/{id}"),
            Answer("POST /api/imported-texts/{id}/take-over"),
            Object(&[("path", "string")]),
        ]),
    ),
    ("limits reset", Object(&[("reset", "boolean")])),
    (
        "limits status",
        With(&Answer("GET /api/config/usage"), &[("ok", "boolean|null")]),
    ),
    ("lock list", Item("GET /api/locks", "")),
    ("lock release", PAGE),
    ("login", Answer("POST /api/login-links")),
    ("mirror diff", Answer("GET /api/mirror/difference")),
    ("mirror forget", Object(&[("folder", "null")])),
    ("mirror leave", MIRROR),
    ("mirror off", MIRROR),
    ("mirror on", MIRROR),
    ("mirror set", MIRROR),
    ("mirror status", MIRROR),
    ("mirror take-over", Answer("POST /api/mirror/take-over")),
    ("mirror write-again", MIRROR),
    ("mv", FILES_DONE),
    (
        "open",
        OneOf(&[File("file"), Object(&[("path", "string")])]),
    ),
    ("page add", PAGE),
    ("page append", OneOf(&[SAVED_PAGE, PAGE])),
    ("page delete", PAGE),
    ("page diff", Answer("GET /api/pages/{page_id}/diff")),
    (
        "page duplicate",
        Answer("POST /api/pages/{page_id}/duplicate"),
    ),
    (
        "page edit",
        OneOf(&[
            SAVED_PAGE,
            Object(&[("id", "string"), ("revision", "null")]),
        ]),
    ),
    ("page history", REVISION),
    (
        "page links",
        OneOf(&[
            Item("GET /api/pages/{page_id}/links", ""),
            Item("GET /api/pages/{page_id}/backlinks", ""),
        ]),
    ),
    ("page list", Item("GET /api/pages", "items")),
    ("page merge", Answer("POST /api/pages/{page_id}/merge")),
    ("page move", Answer("POST /api/pages/{page_id}/path")),
    (
        "page show",
        OneOf(&[
            Object(&[
                ("id", "string"),
                ("path", "string"),
                ("source", "string"),
                ("revision?", "integer"),
            ]),
            Object(&[
                ("id", "string"),
                ("path", "string"),
                ("html", "string"),
                ("revision?", "integer"),
            ]),
            Object(&[("id", "string"), ("path", "string"), ("file", "string")]),
        ]),
    ),
    (
        "page tag",
        Object(&[("id", "string"), ("tags", "string[]")]),
    ),
    ("page undelete", PAGE),
    ("page unlock", PAGE),
    ("rate", MARKED),
    (
        "revision compact",
        Object(&[("id", "string"), ("keep_from", "integer")]),
    ),
    ("revision list", REVISION),
    (
        "revision rollback",
        Answer("POST /api/pages/{page_id}/revision"),
    ),
    ("search", Answer("GET /api/search")),
    (
        "session end",
        OneOf(&[GONE, Answer("DELETE /api/sessions")]),
    ),
    ("session list", Item("GET /api/sessions", "items")),
    (
        "tag",
        OneOf(&[WithFile(&Answer("GET /api/files/marks"), "file"), MARKED]),
    ),
    (
        "thumbs gc",
        Object(&[("files", "integer"), ("bytes", "integer")]),
    ),
    ("thumbs get", File("path")),
    ("thumbs stats", Answer("GET /api/cache")),
    (
        "thumbs warm",
        Object(&[("made", "integer"), ("failures", "string[]")]),
    ),
    ("token create", Answer("POST /api/tokens")),
    ("token list", Item("GET /api/tokens", "items")),
    ("token revoke", GONE),
    ("trash", FILES_DONE),
    ("ttl list", Answer("GET /api/ttl")),
    ("ttl run", OneOf(&[Answer("GET /api/ttl/preview"), TTL_RUN])),
    ("ttl set", TTL_POLICY),
    (
        "undo",
        OneOf(&[FILES_DONE, Item("GET /api/files/operations", "")]),
    ),
    ("user add", Answer("POST /api/users")),
    ("user list", Item("GET /api/users", "")),
    ("user rename", Answer("PATCH /api/users/me")),
];
