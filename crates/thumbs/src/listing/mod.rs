//! Folder listings: a page of a folder's entries, in the order that people expect.
//!
//! A folder of 100,000 pictures costs one pass over its names; only the entries of the page that is
//! asked for are looked at closely (one `stat`, and the header of a picture).

mod entry;
mod natural;
mod query;
mod scan;

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::Clock;

pub use entry::{Entry, EntryKind, Listing};
pub use query::{ListQuery, ListQueryError, Order, Sort};

use crate::access::{AccessError, Beneath};
use crate::decode::Head;
use crate::fingerprint::{Fingerprint, ThumbId};
use crate::path::{self, RelPath};
use crate::roots::Root;
use scan::{Folder, Item};

/// How long one answer may spend on headers. On a slow network folder the rest of the page goes
/// without dimensions, rather than the person without the page.
const TIME_FOR_HEADS: Duration = Duration::from_secs(1);

/// Lists the folder at `path` beneath `root`. `undecodable` tells which pictures are known to fail.
pub(crate) fn list(
    root: &Arc<Root>,
    path: &RelPath,
    query: &ListQuery,
    clock: &dyn Clock,
    undecodable: impl Fn(ThumbId) -> bool,
) -> Result<Listing, AccessError> {
    let beneath = Beneath::open(root.path_bytes())?;
    let folder = Folder {
        root: &beneath,
        path,
        dir: beneath.open_folder(path)?,
    };
    let items = folder.scan(query)?;
    let total = items.len();
    let pictures = items
        .iter()
        .filter(|item| item.kind == EntryKind::Picture)
        .count();
    let limit = query.limit.clamp(1, ListQuery::MAX_LIMIT);
    let wanted = query.around.as_ref();
    let place = wanted.and_then(|name| items.iter().position(|item| item.name.name == *name));
    let offset = place.map_or(query.offset, |place| place / limit * limit);
    let until = clock.monotonic() + TIME_FOR_HEADS;
    let entries = items
        .into_iter()
        .skip(offset)
        .take(limit)
        .filter_map(|item| entry(root, &folder, item))
        .map(|mut entry| {
            if let Some(id) = entry.id {
                entry.undecodable = undecodable(id);
                if clock.monotonic() < until {
                    entry.head = head(&folder, &entry);
                }
            }
            entry
        })
        .collect();
    Ok(Listing {
        root: Arc::clone(root),
        path: path.clone(),
        total,
        pictures,
        offset,
        entries,
    })
}

/// An entry as far as one `stat` tells; `None` if it vanished after the names were read.
fn entry(root: &Root, folder: &Folder<'_>, item: Item) -> Option<Entry> {
    let name = item.name.name;
    let stat = match item.stat {
        Some(stat) => stat,
        None => folder.stat_unfollowed(&name)?,
    };
    let id = (item.kind == EntryKind::Picture).then(|| {
        let path = path::join(root.path_bytes(), &folder.path.join(&name));
        Fingerprint::new(path, stat).id()
    });
    Some(Entry {
        kind: item.kind,
        size: match item.kind {
            EntryKind::Folder => 0,
            EntryKind::Picture | EntryKind::Other => stat.size,
        },
        mtime: stat.mtime,
        id,
        head: None,
        undecodable: false,
        name,
    })
}

/// What the header tells. A picture that can't be read has no dimensions here; asking for its
/// thumbnail tells why.
fn head(folder: &Folder<'_>, entry: &Entry) -> Option<Head> {
    let path = folder.path.join(&entry.name);
    let (file, stat) = folder.root.open_listed_file(&path).ok()?;
    // Of another state than the one that is listed, nothing is said.
    let same = (stat.size, stat.mtime) == (entry.size, entry.mtime);
    same.then(|| Head::read(file, stat.size))?
}
