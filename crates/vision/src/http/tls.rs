//! TLS connections, and the certificates that they trust.

use std::io::{Read, Write};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error as TlsError,
    RootCertStore, SignatureScheme, StreamOwned,
};
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, Either, LazyBuffers, NextTimeout, Transport,
    TransportAdapter,
};

/// The trusted certificates.
#[derive(Debug, Clone)]
pub(super) enum Trust {
    /// Those of the system, or of `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    System,
    /// These.
    #[cfg(test)]
    Only(Vec<CertificateDer<'static>>),
}

impl Trust {
    fn certificates(&self) -> Vec<CertificateDer<'static>> {
        match self {
            Self::System => {
                let found = rustls_native_certs::load_native_certs();
                // The log crate's events reach no log of ours: an unusable file shows as an unknown issuer.
                found.certs
            }
            #[cfg(test)]
            Self::Only(certificates) => certificates.clone(),
        }
    }
}

/// The step of a connection that adds TLS to `https`.
#[derive(Debug)]
pub(super) struct TlsConnector(pub(super) Trust);

/// An encrypted connection.
pub(super) struct TlsTransport {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter>,
}

impl<In: Transport> Connector<In> for TlsConnector {
    type Out = Either<In, TlsTransport>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, ureq::Error> {
        let transport = chained.ok_or(ureq::Error::ConnectionFailed)?;
        if !details.needs_tls() || transport.is_tls() {
            return Ok(Some(Either::A(transport)));
        }
        let host = details.uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| ureq::Error::Tls("the host has no valid name"))?;
        let connection = ClientConnection::new(config(&self.0)?, name)?;
        let transport: Box<dyn Transport> = Box::new(transport);
        let socket = TransportAdapter::new(transport, Arc::clone(&details.current_time));
        let mut stream = StreamOwned::new(connection, socket);
        stream.sock.set_timeout(details.timeout);
        stream.conn.complete_io(&mut stream.sock)?;
        let sizes = details.config;
        let buffers = LazyBuffers::new(sizes.input_buffer_size(), sizes.output_buffer_size());
        Ok(Some(Either::B(TlsTransport { buffers, stream })))
    }
}

impl Transport for TlsTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        self.stream.sock.set_timeout(timeout);
        let output = &self.buffers.output()[..amount];
        Ok(self.stream.write_all(output)?)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        self.stream.sock.set_timeout(timeout);
        let amount = self.stream.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.sock.get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

impl std::fmt::Debug for TlsTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TlsTransport").finish_non_exhaustive()
    }
}

fn config(trust: &Trust) -> Result<Arc<ClientConfig>, TlsError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = Verifier::new(trust.certificates(), Arc::clone(&provider))?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        // The verifier adds one case to that of the library.
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// Verifies certificates against authorities. A server's own certificate that is trusted itself is also accepted for
/// its names and its period if it is marked as an authority's: `openssl req -x509` makes such certificates.
#[derive(Debug)]
struct Verifier {
    authorities: Arc<WebPkiServerVerifier>,
    trusted: Vec<CertificateDer<'static>>,
}

impl Verifier {
    fn new(
        trusted: Vec<CertificateDer<'static>>,
        provider: Arc<CryptoProvider>,
    ) -> Result<Self, TlsError> {
        let mut roots = RootCertStore::empty();
        // Systems have some certificates that the library can't parse.
        roots.add_parsable_certificates(trusted.iter().cloned());
        let authorities = WebPkiServerVerifier::builder_with_provider(roots.into(), provider);
        let authorities = authorities
            .build()
            .map_err(|_| TlsError::from(CertificateError::UnknownIssuer))?;
        Ok(Self {
            authorities,
            trusted,
        })
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let verified =
            self.authorities
                .verify_server_cert(certificate, intermediates, name, ocsp, now);
        match verified {
            Err(error) if is_authority(&error) && self.trusted.contains(certificate) => {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.authorities
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.authorities
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.authorities.supported_verify_schemes()
    }
}

/// Returns true if the only fault so far is that the certificate is an authority's. The library has checked its period
/// before.
fn is_authority(error: &TlsError) -> bool {
    let TlsError::InvalidCertificate(CertificateError::Other(error)) = error else {
        return false;
    };
    let fault = error.0.downcast_ref();
    matches!(fault, Some(webpki::Error::CaUsedAsEndEntity))
}
