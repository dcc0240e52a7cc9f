//! TLS: the certificates that the client trusts. It sends nothing to a server with any other.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use ureq::tls::{Certificate, RootCerts};

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
    fn start() -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed([NAME.to_owned()]).unwrap();
        let certificate = cert.der().clone();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
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

    /// Returns the answer to a client that trusts `roots`, and the text that the client sent.
    fn ask(self, roots: RootCerts) -> (Result<Reply, Error>, String) {
        let address = format!("https://{NAME}:{}", self.port).parse().unwrap();
        let key = ApiKey::new("key-1").unwrap();
        let timer = Arc::new(SystemTimer::default());
        let mut http = Http::new(address, Some(key), KeyHeader::Bearer, timer).unwrap();
        http.roots = roots;
        let call = Call::default();
        let result = http.send("/models", Content::None, &call, call.budget);
        let said = self.thread.join().unwrap();
        (result, String::from_utf8(said).unwrap())
    }
}

#[test]
fn trusted_service_is_asked() {
    let server = TlsServer::start();
    let certificate = Certificate::from_der(&server.certificate).to_owned();
    let roots = RootCerts::Specific(Arc::new(vec![certificate]));
    let (result, said) = server.ask(roots);
    assert_eq!(result.unwrap().body, b"{}");
    assert!(said.starts_with("GET /models HTTP/1.1\r\n"), "{said}");
    assert!(
        said.to_lowercase()
            .contains("authorization: bearer key-1\r\n"),
        "{said}"
    );
}

#[test]
fn unknown_certificate_gets_no_request() {
    let (result, said) = TlsServer::start().ask(RootCerts::PlatformVerifier);
    assert!(
        matches!(&result, Err(Error::UntrustedCertificate { host, .. }) if host == NAME),
        "{result:?}"
    );
    assert_eq!(said, "");
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
