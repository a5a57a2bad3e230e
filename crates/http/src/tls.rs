//! TLS client configuration for rustls. In: root certificates, whether to verify. Out: a
//! configuration, created once, at the first connection that needs it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{WebPkiSupportedAlgorithms, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme, crypto,
};

/// CA bundles of the distributions; the first that exists is used.
const SYSTEM_BUNDLES: [&str; 5] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// The system's bundle has a quarter of a megabyte; a larger file is no bundle.
const BUNDLE_BYTES_MAX: u64 = 16 << 20;

/// Which certificates to trust.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TlsOptions {
    /// Whether to use the system's root certificates.
    pub system_roots: bool,
    /// PEM files.
    pub ca_files: Vec<PathBuf>,
    /// Certificates as PEM strings.
    pub ca_pems: Vec<String>,
    pub verification: CertificateVerification,
}

impl Default for TlsOptions {
    fn default() -> TlsOptions {
        TlsOptions {
            system_roots: true,
            ca_files: Vec::new(),
            ca_pems: Vec::new(),
            verification: CertificateVerification::Strict,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CertificateVerification {
    Strict,
    /// Accept any certificate.
    Off,
}

/// Why there are no usable root certificates.
#[derive(Clone, Debug)]
pub struct TlsConfigError(pub String);

/// A configuration that offers the ALPN `protocols`, best first.
pub fn tls_config(
    tls_options: &TlsOptions,
    protocols: &[&[u8]],
) -> Result<Arc<ClientConfig>, TlsConfigError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("ring serves TLS 1.2 and 1.3");
    let mut config = match tls_options.verification {
        CertificateVerification::Strict => {
            builder.with_root_certificates(roots(tls_options)?).with_no_client_auth()
        }
        CertificateVerification::Off => {
            let verifier = Arc::new(NoVerification(provider.signature_verification_algorithms));
            builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
        }
    };
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(Arc::new(config))
}

fn roots(tls_options: &TlsOptions) -> Result<RootCertStore, TlsConfigError> {
    let mut roots = RootCertStore::empty();
    for (source, pem) in trusted_pems(tls_options)? {
        add(&mut roots, &pem, &source)?;
    }
    match roots.is_empty() {
        true => Err(TlsConfigError("this system has no bundle of authorities".to_owned())),
        false => Ok(roots),
    }
}

/// PEM of trusted certificates, each with where it comes from.
pub(crate) fn trusted_pems(tls_options: &TlsOptions) -> Result<Vec<(String, Vec<u8>)>, TlsConfigError> {
    let mut pems = Vec::new();
    let system = SYSTEM_BUNDLES.iter().map(Path::new).find(|path| tls_options.system_roots && path.exists());
    for path in system.into_iter().chain(tls_options.ca_files.iter().map(|path| path.as_path())) {
        let pem = rusk_base::files::read_bytes(path, BUNDLE_BYTES_MAX)
            .map_err(|problem| TlsConfigError(problem.message().to_owned()))?;
        pems.push((path.display().to_string(), pem));
    }
    pems.extend(tls_options.ca_pems.iter().map(|pem| ("ca".to_owned(), pem.clone().into_bytes())));
    Ok(pems)
}

/// Certificates in an unusable form are skipped, as every TLS client does. A source without any
/// usable one is an error.
fn add(roots: &mut RootCertStore, pem: &[u8], source: &str) -> Result<(), TlsConfigError> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem).filter_map(Result::ok).collect();
    match roots.add_parsable_certificates(found) {
        (0, _) => Err(TlsConfigError(format!("`{source}` holds no certificate in PEM form"))),
        _ => Ok(()),
    }
}

/// Accepts every certificate but still checks signatures against it.
#[derive(Debug)]
struct NoVerification(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for NoVerification {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        crypto::verify_tls12_signature(message, certificate, signed, &self.0)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        crypto::verify_tls13_signature(message, certificate, signed, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}
