/**
 * The types of the API, in the shape that `openapi-typescript` makes. `npm run gen` writes this file
 * from `openapi.json`; nothing here is edited by hand.
 */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A mistake, as every endpoint reports it. */
        Error: {
            code: components["schemas"]["ErrorCode"];
            message: string;
            moved_to?: string | null;
            user_name?: string | null;
            expire?: string | null;
        };
        /** @enum {string} */
        ErrorCode: "host_not_allowed" | "cross_origin" | "unauthenticated" | "bad_request" | "invalid_path" | "invalid_name" | "invalid_body" | "not_utf8" | "too_large" | "unsupported_media_type" | "not_found" | "page_not_found" | "draft" | "path_taken" | "name_taken" | "locked" | "lock_required" | "lock_invalid" | "precondition_required" | "precondition_failed" | "stale_sequence" | "not_author" | "deleted" | "gone" | "root_protected" | "no_user" | "root_not_found" | "folder_unavailable" | "not_a_folder" | "not_a_picture" | "picture_undecodable" | "outside_roots" | "grant_invalid" | "queue_full" | "disk_full" | "read_only" | "storage_failed" | "internal" | "shutting_down";
        User: {
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @enum {string} */
        Language: "system" | "en" | "ja";
        /** @enum {string} */
        Theme: "system" | "light" | "dark";
        Panel: {
            open: boolean;
            /** Format: int32 */
            width: number;
        };
        Settings: {
            language: components["schemas"]["Language"];
            theme: components["schemas"]["Theme"];
            side_panel: components["schemas"]["Panel"];
            right_panel: components["schemas"]["Panel"];
            /** Format: int32 */
            thumbnail_size: number;
        };
        SettingsPatch: {
            language?: components["schemas"]["Language"] | null;
            theme?: components["schemas"]["Theme"] | null;
            side_panel?: components["schemas"]["Panel"] | null;
            right_panel?: components["schemas"]["Panel"] | null;
            /** Format: int32 */
            thumbnail_size?: number | null;
        };
        CreatedPage: {
            id: string;
        };
        LastUpdate: {
            /** Format: int64 */
            revision: number;
            /** Format: date-time */
            timestamp: string;
            user_name: string;
        };
        PageListItem: {
            page_id: string;
            path: string;
            deleted: boolean;
            last_update: components["schemas"]["LastUpdate"];
        };
        PageList: {
            items: components["schemas"]["PageListItem"][];
            has_more: boolean;
            anchor?: string | null;
        };
        ResolvedPage: {
            id: string;
            /** Format: int64 */
            revision: number;
        };
        LinkWarning: {
            link: string;
            before?: string | null;
            after?: string | null;
        };
        SavedPage: {
            /** Format: int64 */
            revision: number;
            warnings: components["schemas"]["LinkWarning"][];
        };
        PageMeta: {
            page_info: components["schemas"]["PageInfo"];
            revision_info: components["schemas"]["RevisionInfo"];
        };
        PageInfo: {
            path: components["schemas"]["PathInfo"];
            revision_scope: components["schemas"]["RevisionScope"];
            rename_revisions: number[];
            deleted: boolean;
            locked: boolean;
            draft: boolean;
        };
        PathInfo: {
            kind: string;
            value: string;
        };
        RevisionScope: {
            /** Format: int64 */
            latest: number;
            /** Format: int64 */
            oldest: number;
        };
        RevisionInfo: {
            /** Format: int64 */
            revision: number;
            /** Format: date-time */
            timestamp: string;
            user_name: string;
            rename_info?: components["schemas"]["RenameInfo"] | null;
        };
        RenameInfo: {
            from?: string | null;
            to: string;
        };
        PagePath: {
            path: string;
        };
        LockStatus: {
            locked: boolean;
            user_name?: string | null;
            expire?: string | null;
        };
        JournalBody: {
            path: string;
            /** Format: int64 */
            base_revision?: number | null;
            source: string;
            /** Format: int64 */
            seq: number;
        };
        JournalEntry: {
            id: string;
            page_id: string;
            tab: string;
            path: string;
            /** Format: int64 */
            base_revision?: number | null;
            source: string;
            /** Format: int64 */
            seq: number;
            /** Format: date-time */
            updated_at: string;
            page_exists: boolean;
        };
        Root: {
            id: string;
            name: string;
            path: string;
            path_bytes?: string | null;
            available: boolean;
        };
        /** @enum {string} */
        EntryKind: "folder" | "picture" | "other";
        FolderEntry: {
            name: string;
            name_bytes?: string | null;
            kind: components["schemas"]["EntryKind"];
            /** Format: int64 */
            size: number;
            /** Format: date-time */
            mtime: string;
            id?: string | null;
            /** Format: int32 */
            width?: number | null;
            /** Format: int32 */
            height?: number | null;
            /** Format: int32 */
            orientation?: number | null;
            state?: string | null;
        };
        FolderListing: {
            root: string;
            path: string;
            path_bytes?: string | null;
            total: number;
            pictures: number;
            entries: components["schemas"]["FolderEntry"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
