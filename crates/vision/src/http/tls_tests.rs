//! TLS: the certificates that the client trusts. It sends nothing to a server with any other.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process::Command;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::*;
use crate::call::SystemTimer;

const NAME: &str = "localhost";

/// A service with a self-made certificate. Returns the bytes that a client sent.
struct TlsServer {
    port: u16,
    certificate: CertificateDer<'static>,
    thread: JoinHandle<Vec<u8>>,
}

impl TlsServer {
    /// Starts a service whose certificate signs itself, as an authority's or not.
    fn start(name: &str, is_ca: IsCa) -> Self {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.is_ca = is_ca;
        Self::with(params)
    }

    fn with(params: CertificateParams) -> Self {
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().der().clone();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], key)
            .unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let thread = thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let connection = ServerConnection::new(Arc::new(config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream);
            let mut said = Vec::new();
            let mut buffer = [0; 4096];
            // A client that does not trust the certificate closes the connection, which is an error here.
            while let Ok(length @ 1..) = stream.read(&mut buffer) {
                said.extend(&buffer[..length]);
                if said.ends_with(b"\r\n\r\n") {
                    stream
                        .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                        .unwrap();
                    stream.conn.send_close_notify();
                    stream.flush().unwrap();
                    break;
                }
            }
            said
        });
        Self {
            port,
            certificate,
            thread,
        }
    }

    /// Returns the answer to a client that has this trust, and the text that the client sent.
    fn ask(self, trust: Trust) -> (Result<Reply, Error>, String) {
        let address = format!("https://{NAME}:{}", self.port).parse().unwrap();
        let key = ApiKey::new("key-1").unwrap();
        let timer = Arc::new(SystemTimer::default());
        let mut http = Http::new(address, Some(key), KeyHeader::Bearer, timer).unwrap();
        http.trust = trust;
        let call = Call::default();
        let result = http.send("/models", Content::None, &call, call.budget);
        let said = self.thread.join().unwrap();
        (result, String::from_utf8(said).unwrap())
    }
}

const AUTHORITY: IsCa = IsCa::Ca(BasicConstraints::Unconstrained);

#[test]
fn trusted_service_is_asked() {
    // `openssl req -x509` marks a certificate as an authority's.
    for is_ca in [IsCa::NoCa, IsCa::ExplicitNoCa, AUTHORITY] {
        let server = TlsServer::start(NAME, is_ca);
        let trust = Trust::Only(vec![server.certificate.clone()]);
        let (result, said) = server.ask(trust);
        assert_eq!(result.unwrap().body, b"{}", "{is_ca:?}");
        assert!(said.starts_with("GET /models HTTP/1.1\r\n"), "{said}");
        assert!(
            said.to_lowercase()
                .contains("authorization: bearer key-1\r\n"),
            "{said}"
        );
    }
}

#[track_caller]
fn refused(server: TlsServer, trust: Trust) {
    let (result, said) = server.ask(trust);
    assert!(
        matches!(&result, Err(Error::UntrustedCertificate { host, .. }) if host == NAME),
        "{result:?}"
    );
    assert_eq!(said, "");
}

#[test]
fn unknown_certificate_gets_no_request() {
    for is_ca in [IsCa::NoCa, AUTHORITY] {
        refused(TlsServer::start(NAME, is_ca), Trust::System);
        let other = TlsServer::start(NAME, is_ca);
        let trust = Trust::Only(vec![other.certificate.clone()]);
        refused(TlsServer::start(NAME, is_ca), trust);
        refused(other, Trust::Only(Vec::new()));
    }
}

#[test]
fn trusted_certificate_has_a_name_and_a_period() {
    let trusting = |server: TlsServer| {
        let trust = Trust::Only(vec![server.certificate.clone()]);
        refused(server, trust);
    };
    for is_ca in [IsCa::NoCa, AUTHORITY] {
        trusting(TlsServer::start("other.example", is_ca));
        let mut expired = CertificateParams::new([NAME.to_owned()]).unwrap();
        expired.is_ca = is_ca;
        expired.not_after = rcgen::date_time_ymd(2020, 1, 1);
        trusting(TlsServer::with(expired));
    }
}

/// The address of a service for the process that the test below starts.
const CHILD_ADDRESS: &str = "FUMIKURA_TEST_TLS_ADDRESS";

#[test]
fn certificate_in_ssl_cert_file_is_trusted() {
    if let Ok(address) = env::var(CHILD_ADDRESS) {
        let timer = Arc::new(SystemTimer::default());
        let http = Http::new(address.parse().unwrap(), None, KeyHeader::Bearer, timer).unwrap();
        let call = Call::default();
        let reply = http.send("/models", Content::None, &call, call.budget);
        assert_eq!(reply.unwrap().body, b"{}");
        return;
    }
    let server = TlsServer::start(NAME, AUTHORITY);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.pem");
    let text = STANDARD.encode(&server.certificate);
    let pem = format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
    fs::write(&file, pem).unwrap();
    let test = "http::tls_tests::certificate_in_ssl_cert_file_is_trusted";
    let output = Command::new(env::current_exe().unwrap())
        .args([test, "--exact"])
        .env("SSL_CERT_FILE", &file)
        .env(CHILD_ADDRESS, format!("https://{NAME}:{}", server.port))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(server.thread.join().unwrap()).unwrap();
    assert!(said.starts_with("GET /models HTTP/1.1\r\n"), "{said}");
}

#[test]
fn service_without_tls_is_unreachable() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    let thread = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut hello = [0; 1024];
        let length = stream.read(&mut hello).unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            .unwrap();
        hello[..length].to_vec()
    });
    let key = ApiKey::new("key-1").unwrap();
    let timer = Arc::new(SystemTimer::default());
    let http = Http::new(
        address.parse().unwrap(),
        Some(key),
        KeyHeader::Bearer,
        timer,
    )
    .unwrap();
    let call = Call::default();
    let result = http.send("/models", Content::None, &call, call.budget);
    assert!(
        matches!(result, Err(Error::Unreachable { .. })),
        "{result:?}"
    );
    let hello = thread.join().unwrap();
    assert!(!hello.windows(5).any(|bytes| bytes == b"key-1"));
}
