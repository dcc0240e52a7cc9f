// The words of the states and kinds of hash records, in English.
import type { Catalogue } from "../i18n/message";

export const words = {
  "hash_state.ok": "Verified",
  "hash_state.changed": "Changed",
  "hash_state.corrupt": "Corrupt",
  "hash_state.altered": "Changed, date put back",
  "hash_state.touched": "Date changed",
  "hash_state.new": "Not recorded",
  "hash_state.moved": "Moved",
  "hash_state.missing": "Missing",
  "hash_state.root_away": "Disk not connected",
  "hash_state.unreadable": "Unreadable",
  "hash_state.racy": "Uncertain",
  "hash_state.differs": "Different",
  "hash_state.orphan": "Orphaned record",
  "hash_state.malformed": "Malformed record",
  "hash_state.collision": "Conflicting record",
  "hash_state.legacy": "Old name",
  "hash_state.foreign": "Not a record",
  "hash_state.unknown": "Not verified yet",
  "hash_state.ok_about": "The file is the one that was recorded.",
  "hash_state.changed_about": "The contents and the date have changed since the file was recorded. If you edited it, accept it.",
  "hash_state.corrupt_about": "The contents have changed, but size and dates haven’t. The disk has damaged the file. Restore it from a good copy.",
  "hash_state.altered_about": "The contents have changed, and the date was set back afterwards. If you don’t know why, restore the file.",
  "hash_state.touched_about": "Only the date has changed. The contents are the recorded ones.",
  "hash_state.new_about": "There is no record of this file yet.",
  "hash_state.moved_about": "The recorded contents are in another place now.",
  "hash_state.missing_about": "The file is gone. Restore it from a good copy if you still need it.",
  "hash_state.root_away_about": "This disk is not connected. Its files were not checked, and their records are kept.",
  "hash_state.unreadable_about": "The file couldn’t be read, so nothing is known about its contents.",
  "hash_state.racy_about": "The contents have changed, and the file was recorded too soon after its last change to tell damage from an edit.",
  "hash_state.differs_about": "The contents are not those that were recorded. This record has no dates, so it can’t tell damage from an edit.",
  "hash_state.orphan_about": "The file of this record is gone.",
  "hash_state.malformed_about": "This record can’t be read, or its name isn’t valid. Nothing overwrites it.",
  "hash_state.collision_about": "Two records claim the same file, or this one has another file’s name.",
  "hash_state.legacy_about": "This record has a name in an older format.",
  "hash_state.foreign_about": "This file in the hash folder isn’t a hash record.",
  "hash_state.unknown_about": "This file has been recorded, but not verified yet.",

  "hash_kind.encoded": "Plain",
  "hash_kind.fallback": "Shortened",
  "hash_kind.legacy": "Old",
  "hash_kind.hashed": "Hash of a path",
  "hash_kind.malformed": "Malformed",
  "hash_kind.foreign": "Other file",
  "hash_kind.asset": "File of a page",
} as const satisfies Catalogue;

type Words = typeof words;
declare module "../i18n/catalogue" {
  interface Messages extends Words {}
}
