//! A text with some of its destinations replaced; every other byte stays.

use super::scan::{Form, Written};
use super::spelling;
use crate::id::PageId;
use crate::path::PagePath;

/// The text that is being written anew, from its beginning to its end.
pub(super) struct Rewrite<'t> {
    old: &'t str,
    new: String,
    /// How far the old text has been taken over.
    at: usize,
}

impl<'t> Rewrite<'t> {
    pub(super) fn new(old: &'t str) -> Self {
        Self {
            old,
            new: String::with_capacity(old.len()),
            at: 0,
        }
    }

    /// Puts a page's id in a destination's place. What follows its path stays.
    pub(super) fn put_id(&mut self, written: &Written, page: PageId) {
        self.put(written, &spelling::id(page));
    }

    /// Puts a page's path in a destination's place. What follows its path stays.
    pub(super) fn put_path(&mut self, written: &Written, path: &PagePath) {
        self.put(written, &spelling::path(path, written.form));
    }

    fn put(&mut self, written: &Written, destination: &str) {
        if written.form == Form::Autolink {
            return;
        }
        let tail = &self.old[written.tail..written.range.end];
        self.new.push_str(&self.old[self.at..written.range.start]);
        self.new.push_str(destination);
        self.new.push_str(&spelling::tail(tail, written.form));
        self.at = written.range.end;
    }

    pub(super) fn finish(mut self) -> String {
        self.new.push_str(&self.old[self.at..]);
        self.new
    }
}
