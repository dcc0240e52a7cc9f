//! `GET /api/search`.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::pictures::png;
use crate::support::wiki::encoded;

fn search(typed: &str) -> String {
    format!("/api/search?q={}", encoded(typed.as_bytes()))
}

async fn answer(app: &TestApp, address: &str) -> Value {
    app.get(address).send().await.is(200).json()
}

async fn matching_paths(app: &TestApp, address: &str) -> Vec<String> {
    let answer = answer(app, address).await;
    let items = answer["items"].as_array().unwrap().iter();
    let path = |item: &Value| item["path"]["text"].as_str().unwrap().to_owned();
    items.map(path).collect()
}

#[tokio::test]
async fn word_is_found_and_highlighted() {
    let app = TestApp::new();
    let id = app.page("/旅/京都", "# 秋の旅\n\n😀ｻｰﾊﾞｰの管理\n").await;
    let answer = answer(&app, &search("サーバー")).await;
    let item = &answer["items"][0];
    assert_eq!(item["kind"], "page");
    assert_eq!(item["page_id"], json!(id));
    assert_eq!(item["title"], json!({"text": "秋の旅", "highlights": []}));
    assert_eq!(item["path"], json!({"text": "/旅/京都", "highlights": []}));
    // The smiling face is two units of UTF-16.
    assert_eq!(
        item["snippets"],
        json!([{"text": "😀ｻｰﾊﾞｰの管理", "highlights": [[2, 7]]}])
    );
    assert_eq!(answer["total"], 1);
    assert_eq!(answer["partial"], Value::Null);
    assert_eq!(answer["anchor"], Value::Null);
}

#[tokio::test]
async fn changes_are_searchable_at_once() {
    let app = TestApp::new();
    let id = app.page("/numbat", "quokka words").await;
    assert_eq!(matching_paths(&app, &search("quokka")).await, ["/numbat"]);
    let held = app.lock(&id).await;
    app.save(&held, "wombat words").await.is(200);
    assert_eq!(matching_paths(&app, &search("quokka")).await, [""; 0]);
    assert_eq!(matching_paths(&app, &search("wombat")).await, ["/numbat"]);

    let renamed = format!("/api/pages/{id}/path?rename_to=/b");
    app.post(&renamed).send().await.is(200);
    assert_eq!(matching_paths(&app, &search("wombat")).await, ["/b"]);
    let moved = answer(&app, &search("/numbat")).await;
    assert_eq!(moved["items"][0]["moved_from"], "/numbat");

    app.delete(&format!("/api/pages/{id}")).send().await.is(204);
    assert_eq!(matching_paths(&app, &search("wombat")).await, [""; 0]);
    let deleted = format!("{}&deleted=true", search("wombat"));
    assert_eq!(matching_paths(&app, &deleted).await, ["/b"]);
}

#[tokio::test]
async fn results_are_paged_and_filtered_by_prefix() {
    let app = TestApp::new();
    for path in ["/x/a", "/x/b", "/xy", "/z"] {
        app.page(path, "needle").await;
    }
    let first = answer(&app, &format!("{}&limit=3", search("needle"))).await;
    assert_eq!(first["total"], 4);
    let next = format!(
        "{}&limit=3&anchor={}",
        search("needle"),
        first["anchor"].as_str().unwrap()
    );
    let second = answer(&app, &next).await;
    assert_eq!(second["items"].as_array().unwrap().len(), 1);
    assert_eq!(second["anchor"], Value::Null);
    let below = format!("{}&prefix=/x", search("needle"));
    assert_eq!(matching_paths(&app, &below).await, ["/x/a", "/x/b"]);
    assert_eq!(
        matching_paths(&app, &search("regex:ne+dle path:/x")).await,
        ["/x/a", "/x/b"]
    );
}

/// Polls until an answer is complete.
async fn complete_answer(app: &TestApp, address: &str) -> Value {
    for _ in 0..6_000 {
        let answer = answer(app, address).await;
        if answer["partial"].is_null() {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the answer stays partial");
}

#[tokio::test]
async fn earlier_revisions_are_found_on_request() {
    let app = TestApp::new();
    let id = app.page("/a", "quokka").await;
    for text in ["quokka two", "wombat"] {
        let held = app.lock(&id).await;
        app.save(&held, text).await.is(200);
    }
    app.page("/b", "quokka now").await;
    assert_eq!(matching_paths(&app, &search("quokka")).await, ["/b"]);
    let all = answer(&app, &format!("{}&revisions=true", search("quokka"))).await;
    let item = |at: usize| {
        (
            &all["items"][at]["path"]["text"],
            &all["items"][at]["revision"],
        )
    };
    assert_eq!(all["total"], 2);
    let items = [item(0), item(1)];
    assert!(items.contains(&(&json!("/b"), &Value::Null)), "{items:?}");
    assert!(items.contains(&(&json!("/a"), &json!(2))), "{items:?}");
    let past = all["items"].as_array().unwrap().iter();
    let past = past
        .filter(|item| item["path"]["text"] == "/a")
        .last()
        .unwrap();
    assert_eq!(
        past["snippets"],
        json!([{"text": "quokka two", "highlights": [[0, 6]]}])
    );
}

#[tokio::test]
async fn query_without_results_gets_a_near_one() {
    let app = TestApp::new();
    app.page("/quokka", "# コンピュータの歴史\n\nwidth 5").await;
    let near = answer(&app, &search("qokka コンピョータ width:5")).await;
    assert_eq!(near["suggestion"], "quokka コンピュータ width:5");
    assert_eq!(near["unknown_fields"], json!(["width"]));
    assert_eq!(near["total"], 0);
    let exact = answer(&app, &search("quokka")).await;
    assert_eq!(exact["suggestion"], Value::Null);
    assert_eq!(exact["unknown_fields"], Value::Null);
    let far = answer(&app, &search("wombat")).await;
    assert_eq!(far["suggestion"], Value::Null);
    let mark = answer(&app, &search("\u{301}")).await;
    assert_eq!(
        (&mark["total"], &mark["suggestion"]),
        (&json!(0), &Value::Null)
    );
}

#[tokio::test]
async fn invalid_query_names_its_fault() {
    let app = TestApp::new();
    let fault = async |typed: &str| {
        let answer = app.get(&search(typed)).send().await.is(422).json();
        assert_eq!(answer["code"], "invalid_value");
        answer["query_fault"].clone()
    };
    assert_eq!(
        fault("regex:旅[ path:/x").await,
        json!({"kind": "regex", "reason": "unclosed character class", "at": 2})
    );
    assert_eq!(
        fault("regex:a").await,
        json!({"kind": "regex_without_path"})
    );
    assert_eq!(
        fault("after:soon").await,
        json!({"kind": "date", "date": "soon"})
    );
    assert_eq!(
        fault("rating:9").await,
        json!({"kind": "value", "field": "rating", "value": "9"})
    );
    let no_type = fault("type:doc").await;
    assert_eq!(
        (&no_type["kind"], &no_type["value"]),
        (&json!("type"), &json!("doc"))
    );
    assert_eq!(
        fault("a -album:other").await,
        json!({"kind": "album", "album": "other"})
    );
    assert_eq!(fault(&"a".repeat(1001)).await, json!({"kind": "too_long"}));
}

#[tokio::test]
async fn files_of_pages_are_found_by_their_names() {
    let app = TestApp::new();
    let page = app.page("/旅", "text").await;
    let asset = app.post(&format!(
        "/api/pages/{page}/assets/{}",
        encoded("時刻表 2026.pdf".as_bytes())
    ));
    let asset = asset.body("application/pdf", b"%PDF-1.7".to_vec()).send();
    let id = asset.await.is(201).json()["id"].clone();
    let file = |typed: &str| format!("{}&kind=file", search(typed));
    let found = answer(&app, &file("時刻表")).await;
    let item = &found["items"][0];
    assert_eq!(item["kind"], "file");
    assert_eq!(
        (&item["asset_id"], &item["page_path"]),
        (&id, &json!("/旅"))
    );
    assert_eq!(
        item["title"],
        json!({"text": "時刻表 2026.pdf", "highlights": [[0, 3]]})
    );
    let path = format!("/api/pages/{page}/path?rename_to=/b");
    app.post(&path).send().await.is(200);
    let moved = answer(&app, &file("2026")).await;
    assert_eq!(moved["items"][0]["path"]["text"], "/b/時刻表 2026.pdf");
    let page = format!("/api/pages/{page}");
    app.delete(&page).send().await.is(204);
    assert_eq!(answer(&app, &file("2026")).await["total"], 0);
    let deleted = format!("{}&deleted=true", file("2026"));
    assert_eq!(answer(&app, &deleted).await["items"][0]["deleted"], true);
}

#[tokio::test]
async fn pictures_are_found_by_name_and_sidecar() {
    let app = TestApp::new();
    std::fs::create_dir(app.pictures().join("旅")).unwrap();
    app.file("旅/京都.png", &png([1, 2, 3]));
    app.file("旅/b.png", &png([1, 2, 3]));
    let sidecar = r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
        xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>family</rdf:li></rdf:Bag></dc:subject>
        <dc:description><rdf:Alt><rdf:li xml:lang="x-default">The old gate</rdf:li></rdf:Alt></dc:description>
        </rdf:Description></rdf:RDF></x:xmpmeta>"#;
    app.file("旅/b.png.xmp", sidecar.as_bytes());
    let root = app.root();
    let picture = |typed: &str| format!("{}&kind=picture", search(typed));
    let found = complete_answer(&app, &picture("京都")).await;
    assert_eq!(found["total"], 1, "{found}");
    let item = &found["items"][0];
    assert_eq!(
        (&item["kind"], &item["root"]),
        (&json!("picture"), &json!(root))
    );
    assert_eq!(item["root_path"], "旅/京都.png");
    assert!(item["version"].is_string());
    for typed in ["old gate", "tag:family", "旅 family", "title:b.png"] {
        let found = complete_answer(&app, &picture(typed)).await;
        assert_eq!(found["items"][0]["root_path"], "旅/b.png", "{typed:?}");
        assert_eq!(found["total"], 1, "{typed:?}");
    }
    let gate = complete_answer(&app, &picture("gate")).await;
    assert_eq!(
        gate["items"][0]["snippets"],
        json!([{"text": "The old gate", "highlights": [[8, 12]]}])
    );
    // A missing folder is reported, and nothing is found.
    std::fs::rename(app.pictures(), app.base_dir().join("away")).unwrap();
    let away = answer(&app, &picture("京都")).await;
    assert_eq!(away["total"], 0);
    assert_eq!(
        away["partial"],
        json!({"reason": "folders_missing", "indexed": 0, "of": 1})
    );
}

#[tokio::test]
async fn pictures_are_found_by_their_facts() {
    let app = TestApp::new();
    std::fs::create_dir(app.pictures().join("trips")).unwrap();
    app.file("trips/a.png", &png([1, 2, 3]));
    app.file("b.png", &png([1, 2, 3]));
    app.file("c.mp4", &[0; 5000]);
    app.page("/trips", "rating 4").await;
    let root = app.root();
    let rated = json!({"items": [{"root": root, "path": "trips/a.png"}], "rating": 4, "add_tags": ["Café"]});
    app.post("/api/files/marks")
        .json(rated)
        .send()
        .await
        .is(200);
    let found = async |typed: &str| {
        let answer = complete_answer(&app, &search(typed)).await;
        let items = answer["items"].as_array().unwrap().iter();
        let mut names: Vec<_> = items
            .map(|item| item["title"]["text"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names.join(" ")
    };
    for (typed, expected) in [
        ("rating:>=4", "a.png"),
        ("rating:unrated type:png", "b.png"),
        ("-rating:4", "b.png c.mp4"),
        ("type:video", "c.mp4"),
        ("type:png|mp4 size:>4KB", "c.mp4"),
        ("folder:trips", "a.png"),
        // The same letters, stored in another way.
        ("tag:CAFE\u{301} rating:4", "a.png"),
        ("trips rating:1", ""),
    ] {
        assert_eq!(found(typed).await, expected, "{typed:?}");
    }
}

#[tokio::test]
async fn unvisited_folders_are_found_by_name() {
    let app = TestApp::new();
    for folder in ["旅/京都 2024", "旅/奈良", "Empty"] {
        std::fs::create_dir_all(app.pictures().join(folder)).unwrap();
    }
    for name in ["旅/京都 2024/a.png", "旅/京都 2024/b.png", "旅/奈良/c.png"] {
        app.file(name, &png([1, 2, 3]));
    }
    let root = app.root();
    let paths = async |typed: &str| {
        let query = search(typed);
        let address = query.replacen("/api/search", "/api/search/folders", 1);
        let found = app.get(&address).send().await.is(200).json();
        let each = found.as_array().unwrap().iter().map(|folder| {
            assert_eq!(folder["root"], root);
            let path = folder["path"].as_str().unwrap().to_owned();
            (path, folder["pictures"].as_u64().unwrap())
        });
        each.collect::<Vec<_>>()
    };
    let kyoto = || ("旅/京都 2024".to_owned(), 2);
    assert_eq!(paths("京都").await, [kyoto()]);
    // Folders without pictures of their own, by a name in full width.
    assert_eq!(paths("旅").await, [("旅".to_owned(), 3)]);
    assert_eq!(paths("旅 ２０２４").await, [kyoto()]);
    // The root itself, by the name of its folder.
    assert_eq!(paths("pictures").await, [(String::new(), 3)]);
    for typed in ["empty", "", "旅 osaka"] {
        assert_eq!(paths(typed).await, [], "{typed:?}");
    }
}

#[tokio::test]
async fn hash_records_are_found_by_file_path() {
    let app = TestApp::new();
    app.file("京都.png", &png([1, 2, 3]));
    let root = app.root();
    app.run_job("/api/hashes/record", json!({"root": root}))
        .await;
    let found = answer(&app, &format!("{}&kind=record", search("京都"))).await;
    assert_eq!(found["total"], 1, "{found}");
    let item = &found["items"][0];
    assert_eq!(
        (&item["kind"], &item["state"]),
        (&json!("record"), &json!("ok"))
    );
    assert_eq!(item["title"]["text"], "京都.png");
    // Without a kind, the picture and its record are found.
    let all = complete_answer(&app, &search("京都")).await;
    assert_eq!(all["total"], 2);
    assert_eq!(
        app.get(&format!("{}&kind=x", search("a")))
            .send()
            .await
            .is(400)
            .json()["code"],
        "bad_request"
    );
}

#[tokio::test]
async fn bad_queries_find_nothing_or_are_refused() {
    let app = TestApp::new();
    app.page("/a", "x").await;
    for typed in ["", "\"", "\u{7}", "-", "。"] {
        assert_eq!(
            matching_paths(&app, &search(typed)).await,
            [""; 0],
            "{typed:?}"
        );
    }
    let long = "a".repeat(10_000);
    for typed in [
        &*long,
        "regex:x",
        r"path:/a regex:(\w{999}){999}",
        "after:soon",
    ] {
        let refused = app.get(&search(typed)).send().await;
        assert_eq!(refused.is(422).json()["code"], "invalid_value", "{typed:?}");
    }
    app.get("/api/search?q=x&limit=0").send().await.is(400);
    app.get("/api/search?q=x&anchor=x").send().await.is(400);
    app.get("/api/search").send().await.is(400);
}

#[tokio::test]
async fn tags_wanted_orphans_and_mentions_are_listed() {
    let app = TestApp::new();
    let kyoto = app
        .page("/kyoto", "---\ntags: [旅, 寺]\n---\n# 京都\n")
        .await;
    app.page("/a", "京都へ。#旅").await;
    app.page("/b", "[京都](/kyoto) [x](/x)").await;
    assert_eq!(
        answer(&app, "/api/tags").await,
        json!([{"tag": "寺", "pages": 1}, {"tag": "旅", "pages": 2}])
    );
    let wanted = answer(&app, "/api/pages/wanted").await;
    let wanted = wanted.as_array().unwrap();
    assert!(wanted.contains(&json!({"path": "/x", "links": 1})));
    let orphans = answer(&app, "/api/pages/orphans").await;
    let orphans: Vec<_> = orphans
        .as_array()
        .unwrap()
        .iter()
        .map(|page| &page["path"])
        .collect();
    assert_eq!(orphans, ["/a", "/b"]);
    let mentions = format!("/api/pages/{kyoto}/mentions");
    assert_eq!(matching_paths(&app, &mentions).await, ["/a"]);
}

#[tokio::test]
async fn mention_has_its_place_in_the_source() {
    let app = TestApp::new();
    let kyoto = app.page("/kyoto", "# 京都").await;
    app.page("/a", "---\nt: 京都\n---\n\n😀 秋。秋の京都へ。冬。")
        .await;
    app.page("/b", "---\nt: 京都\n---\n\n[京都](/x) `京都`")
        .await;
    let answer = answer(&app, &format!("/api/pages/{kyoto}/mentions")).await;
    assert_eq!(answer["total"], 1);
    let item = &answer["items"][0];
    assert_eq!(
        item["mention"],
        json!({"start": 22, "words": "京都", "in_table": false})
    );
    assert_eq!(
        item["snippets"],
        json!([{"text": "秋の京都へ。", "highlights": [[2, 4]]}])
    );
}

/// U+FDFA folds to 18 characters: 10 MiB of it would be 63 million.
#[tokio::test]
async fn page_that_grows_is_searched_to_a_limit() {
    let app = TestApp::new();
    let text = format!("quokka {} wombat", "\u{FDFA}".repeat(3_400_000));
    app.page("/long", &text).await;
    let beginning = answer(&app, &search("quokka")).await;
    assert_eq!(beginning["total"], 1);
    assert_eq!(beginning["partial"], Value::Null);
    let end = answer(&app, &search("wombat")).await;
    assert_eq!(end["total"], 0);
    assert_eq!(end["partial"]["reason"], "long_pages");
    let (searched, all) = (&end["partial"]["indexed"], &end["partial"]["of"]);
    assert_eq!(all.as_u64(), searched.as_u64().map(|count| count + 1));
}

#[tokio::test]
async fn found_pictures_are_listed_like_a_folder() {
    let app = TestApp::new();
    std::fs::create_dir(app.pictures().join("trips")).unwrap();
    for (name, colour) in [
        ("trips/b2.png", 1),
        ("trips/b10.png", 2),
        ("b1.png", 3),
        ("c.png", 4),
    ] {
        app.file(name, &png([colour, 0, 0]));
    }
    let root = app.root();
    let listed = async |typed: &str, rest: &str| {
        let query = search(typed);
        let address = query.replacen("/api/search", "/api/search/pictures", 1);
        complete_answer(&app, &format!("{address}&{rest}")).await
    };
    let names = |listing: &Value| {
        let entries = listing["entries"].as_array().unwrap().iter();
        let name = |entry: &Value| entry["name"].as_str().unwrap().to_owned();
        entries.map(name).collect::<Vec<_>>().join(" ")
    };
    let all = listed("title:b", "sort=name&order=desc").await;
    assert_eq!((&all["root"], &all["total"]), (&json!("search"), &json!(3)));
    assert_eq!(names(&all), "b10.png b2.png b1.png");
    assert_eq!(all["entries"][0]["folder"], format!("{root}/trips"));
    assert_eq!(all["entries"][2]["folder"], json!(root));

    // A further part belongs to the same answer, around a picture.
    let of = all["listing"].as_str().unwrap();
    let around = format!("limit=2&order=desc&listing={of}&around={root}/b1.png");
    let part = listed("title:b", &around).await;
    assert_eq!((&part["listing"], &part["offset"]), (&json!(of), &json!(2)));
    assert_eq!(names(&part), "b1.png");

    let grouped = listed("title:b", "group=folder").await;
    assert_eq!(names(&grouped), "b1.png b2.png b10.png");
    assert_eq!(grouped["groups"][1]["key"], format!("{root}/trips"));
    assert_eq!(grouped["groups"][1]["label"], "pictures/trips");

    // A file operation is seen at once, or the answer says that it is not.
    let bin = json!({"items": [{"root": root, "path": "b1.png"}]});
    app.post("/api/files/bin").json(bin).send().await.is(200);
    assert_eq!(names(&listed("title:b", "").await), "b2.png b10.png");

    assert_eq!(listed("", "").await["total"], 0);
    let refused = async |query: &str, status: u16| {
        let address = format!("/api/search/pictures?{query}");
        app.get(&address).send().await.is(status).json()["code"].clone()
    };
    assert_eq!(refused("q=rating:9", 422).await, "invalid_value");
    assert_eq!(refused("q=a&limit=0", 400).await, "bad_request");
    assert_eq!(refused("sort=name", 400).await, "bad_request");
}

#[tokio::test]
async fn pictures_of_an_album_have_its_order() {
    let app = TestApp::new();
    for (name, colour) in [("a.png", 1), ("b.png", 2), ("c.png", 3), ("d.png", 4)] {
        app.file(name, &png([colour, 0, 0]));
    }
    let root = app.root();
    let items = ["c.png", "a.png", "d.png"].map(|name| json!({"root": root, "path": name}));
    let album = json!({"name": "My trip", "items": items});
    let created = app.post("/api/albums").json(album).send().await;
    let id = created.is(201).json()["id"].as_str().unwrap().to_owned();
    let names = async |typed: &str, rest: &str| {
        let address = search(typed).replacen("/api/search", "/api/search/pictures", 1);
        let listing = complete_answer(&app, &format!("{address}&{rest}")).await;
        let entries = listing["entries"].as_array().unwrap().iter();
        let name = |entry: &Value| entry["name"].as_str().unwrap().to_owned();
        entries.map(name).collect::<Vec<_>>().join(" ")
    };
    let by_id = format!("album:{id}");
    assert_eq!(names(&by_id, "sort=album").await, "c.png a.png d.png");
    assert_eq!(
        names(&by_id, "sort=album&order=desc").await,
        "d.png a.png c.png"
    );
    assert_eq!(
        names(&by_id, "sort=album&group=folder").await,
        "c.png a.png d.png"
    );
    assert_eq!(names(&by_id, "sort=name").await, "a.png c.png d.png");
    assert_eq!(
        names("album:\"my TRIP\" -title:a", "sort=album").await,
        "c.png d.png"
    );
    assert_eq!(
        names("-album:\"My trip\" title:png", "sort=album").await,
        "b.png"
    );
    let unknown = search("album:other").replacen("/api/search", "/api/search/pictures", 1);
    app.get(&unknown).send().await.refused(422, "invalid_value");
    let found = complete_answer(&app, &format!("{}&kind=picture", search(&by_id))).await;
    assert_eq!(found["total"], 3);
}

#[tokio::test]
async fn found_pictures_of_several_files_are_one() {
    let app = TestApp::new();
    for name in ["a.CR3", "a.jpg", "b.jpg", "i.HEIC", "i.MOV"] {
        app.file(name, &png([1, 0, 0]));
    }
    let root = app.root();
    // The rating is in the sidecar of the raw file alone.
    let rating = json!({"items": [{"root": root, "path": "a.CR3"}], "rating": 4});
    app.post("/api/files/marks")
        .json(rating)
        .send()
        .await
        .is(200);
    let listed = async |typed: &str, rest: &str| {
        let query = search(typed);
        let address = query.replacen("/api/search", "/api/search/pictures", 1);
        complete_answer(&app, &format!("{address}&{rest}")).await
    };
    let all = listed(
        "type:raw|jpeg|video",
        "joined=true&sort=rating&order=desc&group=rating",
    )
    .await;
    let names = |listing: &Value| {
        let entries = listing["entries"].as_array().unwrap().iter();
        let named = entries.map(|entry| {
            let others = entry["companions"].as_array();
            let others = others.into_iter().flatten().map(|one| one["name"].clone());
            (entry["name"].clone(), others.collect::<Vec<_>>())
        });
        json!(named.collect::<Vec<_>>())
    };
    let expected = json!([["a.jpg", ["a.CR3"]], ["b.jpg", []], ["i.HEIC", ["i.MOV"]]]);
    assert_eq!(names(&all), expected);
    assert_eq!(
        (&all["total"], &all["entries"][0]["rating"]),
        (&json!(3), &json!(4))
    );
    assert_eq!(all["groups"][0]["count"], 1);
    assert_eq!(all["entries"][0]["folder"], json!(root));
    assert_eq!(all["bytes"], json!(5 * png([1, 0, 0]).len()));
    // The query finds the raw file alone.
    let rated = listed("rating:4", "joined=true").await;
    assert_eq!(names(&rated), json!([["a.jpg", ["a.CR3"]]]));
    let around = format!("joined=true&limit=1&around={root}/i.MOV");
    let around = listed("type:raw|jpeg|video", &around).await;
    assert_eq!(names(&around), json!([["i.HEIC", ["i.MOV"]]]));
    let apart = listed("rating:4", "").await;
    assert_eq!(names(&apart), json!([["a.CR3", []]]));
}
