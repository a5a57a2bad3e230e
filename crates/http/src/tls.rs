//! Whom we believe: the configuration of TLS, made once, at the first connection that needs it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{WebPkiSupportedAlgorithms, ring};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme, crypto,
};

/// Where distributions keep the bundle of all authorities; the first that is there counts.
const SYSTEM_BUNDLES: [&str; 5] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// Larger files are no certificates: the system's own bundle has a quarter of a megabyte.
const BUNDLE_BYTES_MAX: u64 = 16 << 20;

/// Whose certificates are believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// Whether the system's store counts.
    pub system: bool,
    /// Files of PEM text.
    pub files: Vec<PathBuf>,
    /// PEM texts.
    pub texts: Vec<String>,
    pub checks: CertificateChecks,
}

impl Default for Trust {
    fn default() -> Trust {
        Trust { system: true, files: Vec::new(), texts: Vec::new(), checks: CertificateChecks::Strict }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertificateChecks {
    Strict,
    /// Any certificate will do: the other end may be anyone.
    Off,
}

/// Why there is nobody to believe.
#[derive(Clone, Debug)]
pub struct Unusable(pub String);

/// A configuration that offers `protocols`, best first.
pub fn configure(trust: &Trust, protocols: &[&[u8]]) -> Result<Arc<ClientConfig>, Unusable> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("ring serves TLS 1.2 and 1.3");
    let mut config = match trust.checks {
        CertificateChecks::Strict => builder.with_root_certificates(roots(trust)?).with_no_client_auth(),
        CertificateChecks::Off => {
            let anyone = Arc::new(Anyone(provider.signature_verification_algorithms));
            builder.dangerous().with_custom_certificate_verifier(anyone).with_no_client_auth()
        }
    };
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(Arc::new(config))
}

fn roots(trust: &Trust) -> Result<RootCertStore, Unusable> {
    let mut roots = RootCertStore::empty();
    let system = SYSTEM_BUNDLES.iter().map(Path::new).find(|path| trust.system && path.exists());
    for path in system.into_iter().chain(trust.files.iter().map(|path| path.as_path())) {
        let text = rusk_base::files::read_bytes(path, BUNDLE_BYTES_MAX)
            .map_err(|problem| Unusable(problem.message().to_owned()))?;
        add(&mut roots, &text, &path.display().to_string())?;
    }
    for text in &trust.texts {
        add(&mut roots, text.as_bytes(), "ca")?;
    }
    match roots.is_empty() {
        true => Err(Unusable("this system has no bundle of authorities".to_owned())),
        false => Ok(roots),
    }
}

/// Single certificates of a form nobody can use any more are passed over, as every TLS client does;
/// a source without any usable one is a mistake worth a word.
fn add(roots: &mut RootCertStore, pem: &[u8], source: &str) -> Result<(), Unusable> {
    let found: Vec<_> = CertificateDer::pem_slice_iter(pem).filter_map(Result::ok).collect();
    match roots.add_parsable_certificates(found) {
        (0, _) => Err(Unusable(format!("`{source}` holds no certificate in PEM form"))),
        _ => Ok(()),
    }
}

/// Every certificate is accepted, signatures are still checked against it.
#[derive(Debug)]
struct Anyone(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for Anyone {
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
