//! The reference server: nginx, which only sends the same files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use fumikura_tests::stage::{Home, Process};
use fumikura_tests::wait;
use tokio::net::{TcpListener, TcpStream};

/// The fastest settings for static files, and for successive requests over few connections.
const SETTINGS: &str = "
daemon off;
worker_processes auto;
pid PLACE/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000000;
    open_file_cache max=100;
    types { image/jpeg jpg; text/plain txt; }
    client_body_temp_path PLACE/body;
    proxy_temp_path PLACE/proxy;
    fastcgi_temp_path PLACE/fastcgi;
    uwsgi_temp_path PLACE/uwsgi;
    scgi_temp_path PLACE/scgi;
    server { listen 127.0.0.1:PORT; root PLACE/files; }
}
";

/// The running nginx; killed when dropped.
pub(crate) struct Nginx {
    url: String,
    _process: Process,
}

impl Nginx {
    /// Serves these files, by their names.
    pub(crate) async fn serve(
        program: &Path,
        home: &Home,
        files: &[(&str, Vec<u8>)],
    ) -> Result<Self> {
        let place = home.path().join("nginx");
        fs::create_dir_all(place.join("files"))?;
        for (name, contents) in files {
            fs::write(place.join("files").join(name), contents)?;
        }
        let port = free_port().await?;
        let settings = place.join("nginx.conf");
        fs::write(&settings, settings_for(&place, port)?)?;
        let mut nginx = Process::command(home, program)?;
        nginx.arg("-p").arg(&place).arg("-c").arg(&settings);
        let process = Process::spawn(&mut nginx)?;
        wait::until("nginx to answer", async || {
            Ok(TcpStream::connect(("127.0.0.1", port)).await.ok())
        })
        .await?;
        Ok(Self {
            url: format!("http://127.0.0.1:{port}/"),
            _process: process,
        })
    }

    pub(crate) fn url(&self, name: &str) -> String {
        format!("{}{name}", self.url)
    }
}

fn settings_for(place: &Path, port: u16) -> Result<String> {
    let place = place.to_str().context("the folder's path is UTF-8")?;
    let settings = SETTINGS
        .replace("PLACE", place)
        .replace("PORT", &port.to_string());
    // The worker processes would run as `nobody`, which can't access the folder.
    let user = rustix::process::geteuid().is_root().then_some("user root;");
    Ok(user.unwrap_or_default().to_owned() + &settings)
}

async fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    Ok(listener.local_addr()?.port())
}
