//! The durability of files, checked by the order of system calls: a kill does not test it, because the kernel
//! survives.

use std::path::Path;

use rustix::process::Signal;

use crate::support::{Call, Home, NameCall, Server, Trace};

/// Checks that a file is named only after its contents are synced, and that its name is synced soon after.
#[track_caller]
fn check_name_call<'t>(trace: &'t Trace, name_call: &NameCall<'_>) -> &'t Call {
    let NameCall { call, from, to } = name_call;
    // A database is also synced while it is made.
    let synced = trace.syncs(from).filter(|sync| sync.is_before(call));
    let synced = synced
        .last()
        .unwrap_or_else(|| panic!("{to:?} is named before it is on the disk"));
    let late = trace.writes(from).find(|write| !write.is_before(synced));
    assert!(
        late.is_none(),
        "{to:?} is written to after the sync: {late:?}"
    );
    let mut folder = trace.syncs(to.parent().unwrap());
    folder
        .find(|sync| call.is_before(sync))
        .unwrap_or_else(|| panic!("the name of {to:?} is never put on the disk"))
}

/// Returns the first call that sends a 201 after this one.
fn answer<'t>(trace: &'t Trace, after: &Call) -> &'t Call {
    let mut answers = trace.calls(&["write", "writev", "sendto"]);
    let answer = answers.find(|call| call.text.contains("HTTP/1.1 201") && after.is_before(call));
    answer.unwrap()
}

/// Returns a traced server, with a page that has a file.
fn with_a_file(home: &Home) -> Server {
    let server = Server::start(home);
    let client = server.client();
    let draft = client.post("/api/pages?path=/a").unwrap().is(201);
    let page = draft.json()["id"].as_str().unwrap().to_owned();
    let source = format!("/api/pages/{page}/source");
    client.save(&source, &draft.lock(), "text").unwrap().is(200);
    let contents = vec![7; 3_000_000];
    client.upload(&page, "a.bin", &contents).unwrap().is(201);
    server
}

#[test]
fn file_is_synced_before_row_and_answer() {
    let (home, tracing) = Home::new().with_tracing();
    let server = with_a_file(&home);
    let pid = server.pid();
    let files = home.assets();
    let [file] = files.as_slice() else {
        panic!("{files:?}")
    };
    let outcome = server.stop(Signal::TERM);
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    let trace = tracing.of_process(pid);

    let of_file = trace
        .name_calls()
        .find(|name_call| name_call.to == *file)
        .unwrap();
    let named = check_name_call(&trace, &of_file);
    let answer = answer(&trace, of_file.call);
    let database = home.data().join("wiki.redb");
    let committed = trace
        .syncs(&database)
        .find(|sync| named.is_before(sync))
        .expect("the row is never put on the disk");
    assert!(committed.is_before(answer), "{committed:?} {answer:?}");
    check_row(&trace, (&of_file, named), committed, &database);
    check_folders(&trace, file, home.data(), committed);
}

/// Checks that nothing of the row is written before the file's name is durable, and all of it before the
/// commit is synced.
fn check_row(
    trace: &Trace,
    (file, named): (&NameCall<'_>, &Call),
    committed: &Call,
    database: &Path,
) {
    let opening = trace.calls(&["openat", "openat2"]);
    let mut opening = opening.filter(|call| call.paths().next().as_ref() == Some(&file.from));
    let opening = opening.next().unwrap();
    let mut rows = trace
        .writes(database)
        .filter(|write| opening.is_before(write));
    let row = rows.next().unwrap();
    assert!(named.is_before(row) && row.is_before(committed), "{row:?}");
}

/// Checks that the folders that were created for the file are synced, each in its parent.
fn check_folders(trace: &Trace, file: &Path, data: &Path, committed: &Call) {
    let folders = file
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != data);
    let mut count = 0;
    for folder in folders {
        let mut made = trace.calls(&["mkdir", "mkdirat"]);
        let made = made.find(|call| call.paths().next().as_deref() == Some(folder));
        let made = made.unwrap_or_else(|| panic!("{folder:?} was there"));
        let mut synced = trace.syncs(folder.parent().unwrap());
        let lasting = synced.any(|sync| made.is_before(sync) && sync.is_before(committed));
        assert!(lasting, "{folder:?} is not put on the disk before the row");
        count += 1;
    }
    assert_eq!(count, 3, "{file:?}");
}

#[test]
fn data_and_backups_are_synced_before_rename() {
    let (home, tracing) = Home::new().with_tracing();
    let server = with_a_file(&home);
    let pid = server.pid();
    let job = server.client().run_job("/api/backup").unwrap();
    assert_eq!(job["state"], "done", "{job}");
    server.stop(Signal::TERM);
    let trace = tracing.of_process(pid);
    let backups = home.data().join("backups");
    let backup_of = |path: &Path| {
        let inside = path.strip_prefix(&backups).ok()?;
        Some(inside.components().next()?.as_os_str().to_owned())
    };
    let mut named = Vec::new();
    for name_call in trace.name_calls() {
        // The proof links the files of a backup into a folder that it removes again.
        let is_proof = backup_of(&name_call.from).is_some_and(|from| {
            name_call.call.text.contains("link") && backup_of(&name_call.to) != Some(from)
        });
        if name_call.to.starts_with(home.data()) && !is_proof {
            if name_call.to.is_dir() {
                // The database has had its name in there from the beginning.
                check_folder(&trace, &name_call);
            } else {
                check_name_call(&trace, &name_call);
            }
            let name = name_call.to.file_name().unwrap();
            named.push(name.to_str().unwrap().to_owned());
        }
    }
    for name in ["server.json", "fumikura-"] {
        let is_there = named.iter().any(|named| named.starts_with(name));
        assert!(is_there, "{name}: {named:?}");
    }
}

/// Checks that a backup is named only after its contents are synced, and that its name is synced soon after.
fn check_folder(trace: &Trace, name_call: &NameCall<'_>) {
    let NameCall { call, from, to } = name_call;
    let database = from.join("wiki.redb");
    let last = trace.writes(&database).last().unwrap();
    let mut synced = trace.syncs(&database);
    let synced = synced.any(|sync| last.is_before(sync) && sync.is_before(call));
    assert!(synced, "a backup is named before it is on the disk");
    let names_last = |folder: &Path, before: Option<&Call>| {
        let mut syncs = trace.syncs(folder);
        syncs.any(|sync| match before {
            Some(call) => last.is_before(sync) && sync.is_before(call),
            None => call.is_before(sync),
        })
    };
    assert!(names_last(from, Some(call)), "the names in a backup");
    assert!(names_last(to.parent().unwrap(), None), "a backup's name");
}
