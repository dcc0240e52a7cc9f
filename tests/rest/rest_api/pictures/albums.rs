//! `/api/albums`: ordered lists of pictures from any folders.

use std::fs;

use serde_json::{Value, json};

use crate::support::pictures::png;
use crate::support::{Answer, TestApp};

struct Shelf {
    app: TestApp,
    root: String,
}

impl Shelf {
    /// Pictures in the folder and in one below it.
    fn new() -> Self {
        let app = TestApp::new();
        let root = app.root();
        fs::create_dir(app.pictures().join("sub")).unwrap();
        for (name, colour) in [("a.png", 1), ("b.png", 2), ("sub/c.png", 3)] {
            app.file(name, &png([colour, 0, 0]));
        }
        app.file("d.txt", b"text");
        Self { app, root }
    }

    fn places(&self, names: &[&str]) -> Value {
        let places = names.iter();
        places
            .map(|name| json!({"root": self.root, "path": name}))
            .collect()
    }

    async fn post(&self, address: &str, body: Value) -> Answer {
        self.app.post(address).json(body).send().await
    }

    async fn create(&self, names: &[&str]) -> String {
        let body = json!({"name": "旅", "items": self.places(names)});
        let album = self.post("/api/albums", body).await.is(201).json();
        album["id"].as_str().unwrap().to_owned()
    }

    async fn contents(&self, id: &str) -> Value {
        let address = format!("/api/albums/{id}");
        self.app.get(&address).send().await.is(200).json()
    }

    /// The file names of an album, each with its state if it is not there.
    async fn names(&self, id: &str) -> Vec<String> {
        let contents = self.contents(id).await;
        let pictures = contents["pictures"].as_array().unwrap().iter();
        pictures
            .map(|picture| {
                let name = picture["name"].as_str().unwrap();
                match picture["state"].as_str().unwrap() {
                    "present" => name.to_owned(),
                    state => format!("{name} {state}"),
                }
            })
            .collect()
    }

    /// Reads all pictures of albums, and searches for those that are gone.
    async fn find(&self) -> Value {
        let job = self.app.run_job("/api/albums/find", json!(null)).await;
        job["result"].clone()
    }
}

#[tokio::test]
async fn album_has_pictures_of_several_folders() {
    let shelf = Shelf::new();
    let id = shelf.create(&["sub/c.png", "a.png"]).await;
    let contents = shelf.contents(&id).await;
    let first = &contents["pictures"][0];
    assert_eq!(first["entry"]["folder"], "sub");
    assert_eq!(first["entry"]["name"], "c.png");
    assert_eq!(first["root"], json!(shelf.root));
    let cover = json!({"root": shelf.root, "path": "sub/c.png"});
    assert_eq!(
        (&contents["album"]["count"], &contents["album"]["cover"]),
        (&json!(2), &cover)
    );

    let address = format!("/api/albums/{id}/pictures");
    let addition = json!({"items": shelf.places(&["a.png", "b.png"]), "before": first["item"]});
    let added = shelf.post(&address, addition).await.is(200).json();
    assert_eq!(added["added"], 1);
    assert_eq!(shelf.names(&id).await, ["b.png", "c.png", "a.png"]);

    let arrangement = json!({"items": [first["item"]]});
    shelf
        .post(&format!("/api/albums/{id}/arrange"), arrangement)
        .await
        .is(200);
    assert_eq!(shelf.names(&id).await, ["b.png", "a.png", "c.png"]);
    let address = format!("/api/albums/{id}");
    let change = json!({"cover": first["item"], "name": "海"});
    let changed = shelf
        .app
        .put(&address)
        .json(change)
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(
        (&changed["name"], &changed["cover"]),
        (&json!("海"), &cover)
    );
    let removal = json!({"places": shelf.places(&["a.png"])});
    shelf
        .post(&format!("/api/albums/{id}/remove"), removal)
        .await
        .is(200);
    assert_eq!(shelf.names(&id).await, ["b.png", "c.png"]);
    assert!(shelf.app.pictures().join("a.png").exists());
}

#[tokio::test]
async fn renamed_and_moved_pictures_are_found_again() {
    let shelf = Shelf::new();
    let id = shelf.create(&["a.png", "b.png", "sub/c.png"]).await;
    let outcome = shelf.find().await;
    assert_eq!(
        (&outcome["found"], &outcome["gone"]),
        (&json!(0), &json!(0))
    );
    let folder = shelf.app.pictures();
    fs::rename(folder.join("a.png"), folder.join("renamed.png")).unwrap();
    fs::rename(folder.join("sub/c.png"), folder.join("c.png")).unwrap();
    fs::remove_file(folder.join("b.png")).unwrap();
    assert_eq!(
        shelf.names(&id).await,
        ["a.png gone", "b.png gone", "c.png gone"]
    );
    let outcome = shelf.find().await;
    assert_eq!(
        (&outcome["found"], &outcome["gone"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        shelf.names(&id).await,
        ["renamed.png", "b.png gone", "c.png"]
    );
}

#[tokio::test]
async fn pictures_of_a_closed_folder_stay_in_the_album() {
    let shelf = Shelf::new();
    let id = shelf.create(&["a.png"]).await;
    let address = format!("/api/roots/{}", shelf.root);
    shelf.app.delete(&address).send().await.is(204);
    assert_eq!(shelf.names(&id).await, ["a.png unreachable"]);
    let album = &shelf.contents(&id).await["album"];
    assert_eq!(
        (&album["count"], &album["cover"]),
        (&json!(1), &json!(null))
    );
    shelf.app.root();
    assert_eq!(shelf.names(&id).await, ["a.png"]);
}

#[tokio::test]
async fn favourites_are_created_once() {
    let shelf = Shelf::new();
    let ids = ["a.png", "b.png"].map(|name| (name, shelf.places(&[name])));
    let mut albums = Vec::new();
    for (_, items) in ids {
        let body = json!({"items": items, "name": "Favourites"});
        let added = shelf
            .post("/api/albums/favourites", body)
            .await
            .is(200)
            .json();
        assert_eq!(added["added"], 1);
        albums.push(added["album"]["id"].clone());
    }
    assert_eq!(albums[0], albums[1]);
    let address = format!("/api/files/albums?root={}&path=b.png", shelf.root);
    let containing = shelf.app.get(&address).send().await.is(200).json();
    assert_eq!(containing[0]["is_favourites"], true);
    assert_eq!(containing.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn deleted_album_can_be_restored() {
    let shelf = Shelf::new();
    let id = shelf.create(&["a.png"]).await;
    let address = format!("/api/albums/{id}");
    shelf.app.delete(&address).send().await.is(204);
    shelf
        .app
        .get(&address)
        .send()
        .await
        .refused(404, "album_not_found");
    shelf
        .post(&format!("{address}/restore"), json!(null))
        .await
        .is(200);
    assert_eq!(shelf.names(&id).await, ["a.png"]);
}

#[tokio::test]
async fn other_files_are_refused_by_albums() {
    let shelf = Shelf::new();
    let id = shelf.create(&[]).await;
    for (name, status, code) in [
        ("d.txt", 415, "not_a_picture"),
        ("none.png", 404, "not_found"),
    ] {
        let addition = json!({"items": shelf.places(&["a.png", name])});
        let refused = shelf
            .post(&format!("/api/albums/{id}/pictures"), addition)
            .await;
        refused.refused(status, code);
    }
    assert!(shelf.names(&id).await.is_empty());
}

#[tokio::test]
async fn backup_has_the_albums() {
    let shelf = Shelf::new();
    shelf.create(&["a.png"]).await;
    let started = shelf.app.post("/api/backup").send().await.is(202).json();
    let job = shelf.app.job_end(started["id"].as_str().unwrap()).await;
    let folder = job["result"]["folder"].as_str().unwrap();
    let albums = fs::read_to_string(format!("{folder}/albums.json")).unwrap();
    let albums: Value = serde_json::from_str(&albums).unwrap();
    assert_eq!(albums["albums"][0]["name"], "旅");
}

#[tokio::test]
async fn smart_album_is_a_saved_search() {
    let shelf = Shelf::new();
    let create = async |search: &str, names: &[&str]| {
        let body = json!({"name": "best", "search": search, "items": shelf.places(names)});
        shelf.post("/api/albums", body).await
    };
    let album = create(" title:a ", &[]).await.is(201).json();
    assert_eq!(
        (&album["search"], &album["count"]),
        (&json!("title:a"), &json!(0))
    );
    for (search, names) in [("rating:9", &[][..]), (" ", &[]), ("a", &["a.png"])] {
        let refused = create(search, names).await.is(422).json();
        assert_eq!(refused["code"], "invalid_value", "{search}");
    }

    let id = album["id"].as_str().unwrap();
    let address = format!("/api/albums/{id}");
    let change = async |address: &str, body: Value| {
        let request = shelf.app.put(address).json(body);
        request.send().await
    };
    let changed = change(&address, json!({"search": "title:c", "name": "C"})).await;
    assert_eq!(changed.is(200).json()["search"], "title:c");
    assert_eq!(shelf.contents(id).await["pictures"], json!([]));
    let items = json!({"items": shelf.places(&["a.png"])});
    let added = shelf.post(&format!("{address}/pictures"), items).await;
    assert_eq!(added.is(422).json()["code"], "invalid_value");

    // Only a smart album has a search.
    let list = format!("/api/albums/{}", shelf.create(&["a.png"]).await);
    let refused = change(&list, json!({"search": "a"})).await.is(422).json();
    assert_eq!(refused["code"], "invalid_value");
    assert!(shelf.app.get(&list).send().await.is(200).json()["album"]["search"].is_null());

    shelf.app.delete(&address).send().await.is(204);
    let restored = shelf.post(&format!("{address}/restore"), json!({})).await;
    assert_eq!(restored.is(200).json()["search"], "title:c");
}

#[tokio::test]
async fn album_shows_joined_files_once() {
    let shelf = Shelf::new();
    for name in ["p.CR3", "p.jpg", "q.CR3", "q.jpg"] {
        shelf.app.file(name, &png([4, 0, 0]));
    }
    let id = shelf.create(&["p.CR3", "a.png", "p.jpg", "q.CR3"]).await;
    let address = format!("/api/albums/{id}");
    let joined = async || {
        let joined = format!("{address}?joined=true");
        shelf.app.get(&joined).send().await.is(200).json()
    };
    let contents = joined().await;
    let pictures = contents["pictures"].as_array().unwrap();
    let names: Vec<&Value> = pictures.iter().map(|picture| &picture["name"]).collect();
    // Only the raw file of q is in the album.
    assert_eq!(names, ["a.png", "p.jpg", "q.CR3"]);
    assert_eq!(contents["album"]["count"], 3);
    for (address, count) in [("/api/albums", 4), ("/api/albums?joined=true", 3)] {
        let albums = shelf.app.get(address).send().await.is(200).json();
        assert_eq!(albums[0]["count"], count);
    }
    let parts = &pictures[1]["entry"]["companions"];
    assert_eq!(parts[0]["name"], "p.CR3");

    let removal = json!({"items": [pictures[1]["item"]], "joined": true});
    shelf
        .post(&format!("{address}/remove"), removal)
        .await
        .is(200);
    assert_eq!(shelf.names(&id).await, ["a.png", "q.CR3"]);
}
