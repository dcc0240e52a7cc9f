//! `fumi album`: the albums, and the pictures in them.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::place::{FileArguments, OpenFolders, bytes_of, is_joined, items};
use crate::client::{Client, Common, percent_encode, print, row, text};
use crate::output::{self, List};

#[derive(Args)]
pub(crate) struct AlbumArguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: AlbumCommand,
}

#[derive(Subcommand)]
enum AlbumCommand {
    /// List the albums: name, number of pictures, kind, id
    List,
    /// List the pictures of an album in its order: path, state, rating, tags
    Show {
        /// The album: its name or id
        album: String,
        /// Print paths alone, each ended by a NUL byte, for `xargs -0`
        #[arg(long, conflicts_with = "json")]
        null: bool,
    },
    /// Create an album, empty or of a search
    Create {
        /// Its name
        name: String,
        /// The search whose results it shows; docs/SEARCH.md describes the grammar
        #[arg(long, value_name = "QUERY")]
        search: Option<String>,
    },
    /// Rename an album
    Rename {
        /// The album: its name or id
        album: String,
        /// Its new name
        name: String,
    },
    /// Add pictures at the end of an album
    Add {
        /// The album: its name or id
        album: String,
        #[command(flatten)]
        files: FileArguments,
    },
    /// Take pictures out of an album; their files stay as they are
    Remove {
        /// The album: its name or id
        album: String,
        #[command(flatten)]
        files: FileArguments,
    },
    /// Delete an album; the files of its pictures stay as they are
    Delete {
        /// The album: its name or id
        album: String,
    },
}

pub(crate) fn album(arguments: AlbumArguments) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match arguments.command {
        AlbumCommand::List => list(&client, json),
        AlbumCommand::Show { album, null } => show(&client, &album, List::new(json, null)),
        AlbumCommand::Create { name, search } => {
            let body = match search {
                Some(search) => json!({"name": name, "search": search}),
                None => json!({"name": name, "items": []}),
            };
            let created = client.send_json("POST", "api/albums", &body)?;
            print(json, &created, &format!("Created {name}"))
        }
        AlbumCommand::Rename { album, name } => {
            let album = Album::find(&client, &album)?;
            let changed = client.send_json("PUT", &album.address(), &json!({"name": name}))?;
            print(
                json,
                &changed,
                &format!("Renamed {} to {name}", album.name()),
            )
        }
        AlbumCommand::Add { album, files } => add(&client, json, &album, &files.read()?),
        AlbumCommand::Remove { album, files } => remove(&client, json, &album, &files.read()?),
        AlbumCommand::Delete { album } => {
            let album = Album::find(&client, &album)?;
            client.send("DELETE", &album.address())?;
            print(json, &album.0, &format!("Deleted {}", album.name()))
        }
    }
}

/// An album as the list of albums has it.
struct Album(Value);

impl Album {
    /// Finds an album by its id or its name, which must not be that of another one.
    fn find(client: &Client, album: &str) -> anyhow::Result<Self> {
        let albums = client.get("api/albums")?;
        let all = || albums.as_array().into_iter().flatten();
        if let Some(found) = all().find(|one| text(one, "id") == album) {
            return Ok(Self(found.clone()));
        }
        let named: Vec<_> = all().filter(|one| text(one, "name") == album).collect();
        match &named[..] {
            [found] => Ok(Self((*found).clone())),
            [] => bail!("no album has the name or id {album}"),
            _ => bail!(
                "{} albums have the name {album}: give the id of “fumi album list”",
                named.len()
            ),
        }
    }

    fn name(&self) -> &str {
        text(&self.0, "name")
    }

    /// Returns the address of the album.
    fn address(&self) -> String {
        format!("api/albums/{}", percent_encode(text(&self.0, "id")))
    }

    /// Returns the pictures of the album, in its order.
    fn pictures(&self, client: &Client) -> anyhow::Result<Vec<Value>> {
        let joined = is_joined(client)?;
        let mut album = client.get(&format!("{}?joined={joined}", self.address()))?;
        let pictures = album["pictures"].as_array_mut().map(std::mem::take);
        Ok(pictures.unwrap_or_default())
    }

    /// Fails for a smart album: its pictures are those of a search.
    fn check_has_list(&self) -> anyhow::Result<()> {
        match text(&self.0, "search") {
            "" => Ok(()),
            search => bail!(
                "{} shows what a search finds: fumi search --kind picture -- {search}",
                self.name()
            ),
        }
    }
}

fn list(client: &Client, json: bool) -> anyhow::Result<()> {
    let albums = client.get("api/albums")?;
    let mut out = output::stdout();
    for album in albums.as_array().into_iter().flatten() {
        let name = text(album, "name");
        List::new(json, false).write(&mut out, album, name, &line(album))?;
    }
    Ok(())
}

fn line(album: &Value) -> String {
    let search = text(album, "search");
    let (count, kind) = match (search, album["is_favourites"].as_bool()) {
        ("", Some(true)) => (album["count"].to_string(), "favourites"),
        ("", _) => (album["count"].to_string(), "list"),
        // Its pictures are counted when it is shown.
        _ => (String::new(), "search"),
    };
    row(&[text(album, "name"), &count, kind, text(album, "id"), search])
}

fn show(client: &Client, album: &str, list: List) -> anyhow::Result<()> {
    let album = Album::find(client, album)?;
    album.check_has_list()?;
    let mut out = output::stdout();
    for picture in album.pictures(client)? {
        let path = bytes_of(&picture, "path");
        list.write(&mut out, &picture, &path, &picture_line(&picture, &path))?;
    }
    Ok(())
}

fn picture_line(picture: &Value, path: &[u8]) -> String {
    let tags = picture["entry"]["tags"].as_array().into_iter().flatten();
    let tags: Vec<_> = tags.filter_map(Value::as_str).collect();
    row(&[
        &String::from_utf8_lossy(path),
        text(picture, "state"),
        &super::marks::rating(&picture["entry"]),
        &tags.join(", "),
    ])
}

fn add(client: &Client, json: bool, album: &str, files: &[PathBuf]) -> anyhow::Result<()> {
    let album = Album::find(client, album)?;
    album.check_has_list()?;
    let places = OpenFolders::get(client)?.places(files)?;
    let address = format!("{}/pictures", album.address());
    let answer = client.send_json("POST", &address, &json!({"items": items(&places)}))?;
    let added = answer["added"].as_u64().unwrap_or_default();
    let line = format!("Added {} to {}", pictures(added), album.name());
    print(json, &answer, &line)
}

fn remove(client: &Client, json: bool, album: &str, files: &[PathBuf]) -> anyhow::Result<()> {
    let album = Album::find(client, album)?;
    album.check_has_list()?;
    let mut found = Vec::new();
    let contents = album.pictures(client)?;
    for file in files {
        let path = std::path::absolute(file)?;
        let is_it =
            |picture: &&Value| bytes_of(picture, "path") == path.as_os_str().as_encoded_bytes();
        match contents.iter().find(is_it) {
            Some(picture) => found.push(picture["item"].clone()),
            None => bail!("{} is not in {}", super::place::display(file), album.name()),
        }
    }
    let count = found.len() as u64;
    let body = json!({"items": found, "joined": is_joined(client)?});
    let answer = client.send_json("POST", &format!("{}/remove", album.address()), &body)?;
    let line = format!("Took {} out of {}", pictures(count), album.name());
    print(json, &answer, &line)
}

fn pictures(count: u64) -> String {
    match count {
        1 => "1 picture".to_owned(),
        _ => format!("{count} pictures"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn album_line_states_its_kind() {
        let list = json!({"name": "Kyoto", "count": 3, "id": "A", "is_favourites": false});
        assert_eq!(line(&list), "Kyoto\t3\tlist\tA\t");
        let search = json!({"name": "Best", "count": 0, "id": "B", "search": "rating:5"});
        assert_eq!(line(&search), "Best\t\tsearch\tB\trating:5");
    }

    #[test]
    fn lost_picture_has_a_line() {
        let gone = json!({"state": "gone"});
        assert_eq!(picture_line(&gone, b"/p/a.jpg"), "/p/a.jpg\tgone\t\t");
    }
}
