//! C API of OpenSSL's libcrypto, declared by hand and loaded by name. In: an open library. Out: a
//! table of function pointers, or the name that is missing. Absent: libssl (tls/symbols.rs).
//!
//! Sources: the manual pages of section 3 and the headers `evp.h`, `pem.h`, `x509.h`, `x509v3.h`,
//! `ec.h`, `dh.h`, `bn.h`, `bio.h`, `err.h` of OpenSSL 3.0. All functions are in every 3.x release.
#![allow(non_snake_case)]

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_ulong, c_void};

/// An opaque type of the library.
#[repr(C)]
pub struct Opaque {
    _private: [u8; 0],
}

pub type Raw = *mut Opaque;

/// `OSSL_PARAM` of `core.h`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawParam {
    pub key: *const c_char,
    pub data_type: c_uint,
    pub data: *mut c_void,
    pub data_bytes: usize,
    pub return_bytes: usize,
}

/// `EC_builtin_curve` of `ec.h`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BuiltinCurve {
    pub nid: c_int,
    pub comment: *const c_char,
}

/// `pem_password_cb`: buffer, size, whether it encrypts, the argument.
pub type PasswordCallback = unsafe extern "C" fn(*mut c_char, c_int, c_int, *mut c_void) -> c_int;
type ListCallback = unsafe extern "C" fn(Raw, *const c_char, *const c_char, *mut c_void);
type Params = *const RawParam;
pub type Text = *const c_char;
pub type Out = *mut u8;
pub type In = *const u8;
/// `read`, `write` and `ctrl` of a BIO's method: the BIO, bytes, their number.
pub type BioRead = unsafe extern "C" fn(Raw, *mut c_char, c_int) -> c_int;
pub type BioWrite = unsafe extern "C" fn(Raw, *const c_char, c_int) -> c_int;
pub type BioControl = unsafe extern "C" fn(Raw, c_int, c_long, *mut c_void) -> c_long;

/// One row per function: its name in the library and its type. Each row becomes a field, filled by
/// `load`.
macro_rules! table {
    ($table:ident; $($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        pub struct $table {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl $table {
            /// The first name for which `find` returns null is the error.
            ///
            /// # Safety
            /// The address that `find` returns for a name is that function of the library, and
            /// stays loaded.
            pub unsafe fn load(find: impl Fn(&CStr) -> *mut c_void) -> Result<$table, &'static str> {
                Ok($table {
                    $($name: {
                        let name = concat!(stringify!($name), "\0");
                        let name = CStr::from_bytes_with_nul(name.as_bytes()).expect("one NUL, at the end");
                        let address = find(name);
                        if address.is_null() {
                            return Err(stringify!($name));
                        }
                        // SAFETY: the caller guarantees the address, the row the type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(address) }
                    },)*
                })
            }
        }
    };
}

pub(crate) use table;

table! {
    Symbols;
    OPENSSL_version_major() -> c_uint;
    OPENSSL_version_minor() -> c_uint;
    OPENSSL_version_patch() -> c_uint;
    OPENSSL_init_crypto(u64, Raw) -> c_int;
    OPENSSL_cleanse(*mut c_void, usize);
    CRYPTO_free(*mut c_void, Text, c_int);
    CRYPTO_malloc(usize, Text, c_int) -> *mut c_void;
    CRYPTO_secure_malloc_init(usize, usize) -> c_int;
    CRYPTO_secure_used() -> usize;
    OPENSSL_sk_num(Raw) -> c_int;
    OPENSSL_sk_value(Raw, c_int) -> Raw;
    OPENSSL_sk_pop_free(Raw, unsafe extern "C" fn(Raw));
    ERR_get_error() -> c_ulong;
    ERR_peek_error() -> c_ulong;
    ERR_print_errors(Raw);
    ERR_clear_error();
    ERR_error_string_n(c_ulong, *mut c_char, usize);
    ERR_lib_error_string(c_ulong) -> Text;
    ERR_reason_error_string(c_ulong) -> Text;
    OBJ_txt2nid(Text) -> c_int;
    OBJ_nid2sn(c_int) -> Text;
    OBJ_nid2ln(c_int) -> Text;

    BIO_new(Raw) -> Raw;
    BIO_s_mem() -> Raw;
    BIO_new_mem_buf(*const c_void, c_int) -> Raw;
    BIO_ctrl(Raw, c_int, c_long, *mut c_void) -> c_long;
    BIO_free(Raw) -> c_int;
    BIO_get_new_index() -> c_int;
    BIO_meth_new(c_int, Text) -> Raw;
    BIO_meth_set_read(Raw, BioRead) -> c_int;
    BIO_meth_set_write(Raw, BioWrite) -> c_int;
    BIO_meth_set_ctrl(Raw, BioControl) -> c_int;
    BIO_set_data(Raw, *mut c_void);
    BIO_get_data(Raw) -> *mut c_void;
    BIO_set_init(Raw, c_int);
    BIO_set_flags(Raw, c_int);
    BIO_clear_flags(Raw, c_int);
    BIO_new_fd(c_int, c_int) -> Raw;

    BN_new() -> Raw;
    BN_bin2bn(In, c_int, Raw) -> Raw;
    BN_bn2binpad(Raw, Out, c_int) -> c_int;
    BN_num_bits(Raw) -> c_int;
    BN_clear_free(Raw);
    BN_CTX_new() -> Raw;
    BN_CTX_free(Raw);
    BN_generate_prime_ex(Raw, c_int, c_int, Raw, Raw, Raw) -> c_int;
    BN_is_prime_ex(Raw, c_int, Raw, Raw) -> c_int;
    BN_get_rfc2409_prime_768(Raw) -> Raw;
    BN_get_rfc2409_prime_1024(Raw) -> Raw;
    BN_get_rfc3526_prime_1536(Raw) -> Raw;
    BN_get_rfc3526_prime_2048(Raw) -> Raw;
    BN_get_rfc3526_prime_3072(Raw) -> Raw;
    BN_get_rfc3526_prime_4096(Raw) -> Raw;
    BN_get_rfc3526_prime_6144(Raw) -> Raw;
    BN_get_rfc3526_prime_8192(Raw) -> Raw;

    EVP_get_cipherbyname(Text) -> Raw;
    EVP_CIPHER_fetch(Raw, Text, Text) -> Raw;
    EVP_CIPHER_free(Raw);
    EVP_CIPHER_get_nid(Raw) -> c_int;
    EVP_CIPHER_get0_name(Raw) -> Text;
    EVP_CIPHER_get_mode(Raw) -> c_int;
    EVP_CIPHER_get_block_size(Raw) -> c_int;
    EVP_CIPHER_get_key_length(Raw) -> c_int;
    EVP_CIPHER_get_iv_length(Raw) -> c_int;
    EVP_CIPHER_do_all_sorted(ListCallback, *mut c_void);
    EVP_CIPHER_CTX_new() -> Raw;
    EVP_CIPHER_CTX_free(Raw);
    EVP_CIPHER_CTX_set_flags(Raw, c_int);
    EVP_CIPHER_CTX_set_key_length(Raw, c_int) -> c_int;
    EVP_CIPHER_CTX_set_padding(Raw, c_int) -> c_int;
    EVP_CIPHER_CTX_ctrl(Raw, c_int, c_int, *mut c_void) -> c_int;
    EVP_CipherInit_ex(Raw, Raw, Raw, In, In, c_int) -> c_int;
    EVP_CipherUpdate(Raw, Out, *mut c_int, In, c_int) -> c_int;
    EVP_CipherFinal_ex(Raw, Out, *mut c_int) -> c_int;

    EVP_MD_fetch(Raw, Text, Text) -> Raw;
    EVP_MD_free(Raw);
    EVP_MD_get_size(Raw) -> c_int;
    EVP_MD_CTX_new() -> Raw;
    EVP_MD_CTX_free(Raw);
    EVP_MD_CTX_copy_ex(Raw, Raw) -> c_int;
    EVP_DigestInit_ex(Raw, Raw, Raw) -> c_int;
    EVP_DigestUpdate(Raw, In, usize) -> c_int;
    EVP_DigestFinal_ex(Raw, Out, *mut c_uint) -> c_int;
    EVP_DigestFinalXOF(Raw, Out, usize) -> c_int;
    EVP_DigestSignInit_ex(Raw, *mut Raw, Text, Raw, Text, Raw, Params) -> c_int;
    EVP_DigestSign(Raw, Out, *mut usize, In, usize) -> c_int;
    EVP_DigestVerifyInit_ex(Raw, *mut Raw, Text, Raw, Text, Raw, Params) -> c_int;
    EVP_DigestVerify(Raw, In, usize, In, usize) -> c_int;

    EVP_MAC_fetch(Raw, Text, Text) -> Raw;
    EVP_MAC_free(Raw);
    EVP_MAC_CTX_new(Raw) -> Raw;
    EVP_MAC_CTX_free(Raw);
    EVP_MAC_init(Raw, In, usize, Params) -> c_int;
    EVP_MAC_update(Raw, In, usize) -> c_int;
    EVP_MAC_final(Raw, Out, *mut usize, usize) -> c_int;
    EVP_KDF_fetch(Raw, Text, Text) -> Raw;
    EVP_KDF_free(Raw);
    EVP_KDF_CTX_new(Raw) -> Raw;
    EVP_KDF_CTX_free(Raw);
    EVP_KDF_derive(Raw, Out, usize, Params) -> c_int;

    EVP_PKEY_free(Raw);
    EVP_PKEY_up_ref(Raw) -> c_int;
    EVP_PKEY_get0_type_name(Raw) -> Text;
    EVP_PKEY_get_id(Raw) -> c_int;
    EVP_PKEY_get_bits(Raw) -> c_int;
    EVP_PKEY_get_size(Raw) -> c_int;
    EVP_PKEY_eq(Raw, Raw) -> c_int;
    EVP_PKEY_get_bn_param(Raw, Text, *mut Raw) -> c_int;
    EVP_PKEY_get_int_param(Raw, Text, *mut c_int) -> c_int;
    EVP_PKEY_get_octet_string_param(Raw, Text, Out, usize, *mut usize) -> c_int;
    EVP_PKEY_get_utf8_string_param(Raw, Text, *mut c_char, usize, *mut usize) -> c_int;
    EVP_PKEY_get_raw_private_key(Raw, Out, *mut usize) -> c_int;
    EVP_PKEY_get_raw_public_key(Raw, Out, *mut usize) -> c_int;
    EVP_PKEY_new_raw_private_key_ex(Raw, Text, Text, In, usize) -> Raw;
    EVP_PKEY_new_raw_public_key_ex(Raw, Text, Text, In, usize) -> Raw;
    EVP_PKEY_CTX_new_from_name(Raw, Text, Text) -> Raw;
    EVP_PKEY_CTX_new_from_pkey(Raw, Raw, Text) -> Raw;
    EVP_PKEY_CTX_free(Raw);
    EVP_PKEY_CTX_set_params(Raw, Params) -> c_int;
    EVP_PKEY_CTX_ctrl_str(Raw, Text, Text) -> c_int;
    EVP_PKEY_fromdata_init(Raw) -> c_int;
    EVP_PKEY_fromdata(Raw, *mut Raw, c_int, Params) -> c_int;
    EVP_PKEY_paramgen_init(Raw) -> c_int;
    EVP_PKEY_keygen_init(Raw) -> c_int;
    EVP_PKEY_generate(Raw, *mut Raw) -> c_int;
    EVP_PKEY_pairwise_check(Raw) -> c_int;
    EVP_PKEY_public_check(Raw) -> c_int;
    EVP_PKEY_sign_init_ex(Raw, Params) -> c_int;
    EVP_PKEY_sign(Raw, Out, *mut usize, In, usize) -> c_int;
    EVP_PKEY_verify_init_ex(Raw, Params) -> c_int;
    EVP_PKEY_verify(Raw, In, usize, In, usize) -> c_int;
    EVP_PKEY_verify_recover_init_ex(Raw, Params) -> c_int;
    EVP_PKEY_verify_recover(Raw, Out, *mut usize, In, usize) -> c_int;
    EVP_PKEY_encrypt_init_ex(Raw, Params) -> c_int;
    EVP_PKEY_encrypt(Raw, Out, *mut usize, In, usize) -> c_int;
    EVP_PKEY_decrypt_init_ex(Raw, Params) -> c_int;
    EVP_PKEY_decrypt(Raw, Out, *mut usize, In, usize) -> c_int;
    EVP_PKEY_derive_init_ex(Raw, Params) -> c_int;
    EVP_PKEY_derive_set_peer(Raw, Raw) -> c_int;
    EVP_PKEY_derive(Raw, Out, *mut usize) -> c_int;
    EVP_PKEY_encapsulate_init(Raw, Params) -> c_int;
    EVP_PKEY_encapsulate(Raw, Out, *mut usize, Out, *mut usize) -> c_int;
    EVP_PKEY_decapsulate_init(Raw, Params) -> c_int;
    EVP_PKEY_decapsulate(Raw, Out, *mut usize, In, usize) -> c_int;

    PEM_read_bio_PrivateKey(Raw, *mut Raw, Option<PasswordCallback>, *mut c_void) -> Raw;
    PEM_read_bio_X509_AUX(Raw, *mut Raw, Option<PasswordCallback>, *mut c_void) -> Raw;
    PEM_read_bio_X509_CRL(Raw, *mut Raw, Option<PasswordCallback>, *mut c_void) -> Raw;
    PEM_read_bio_Parameters(Raw, *mut Raw) -> Raw;
    PEM_bytes_read_bio(*mut Out, *mut c_long, *mut *mut c_char, Text, Raw, Option<PasswordCallback>, *mut c_void) -> c_int;
    PEM_write_bio(Raw, Text, Text, In, c_long) -> c_int;
    PEM_write_bio_PKCS8PrivateKey(Raw, Raw, Raw, Text, c_int, Option<PasswordCallback>, *mut c_void) -> c_int;
    PEM_write_bio_PrivateKey_traditional(Raw, Raw, Raw, In, c_int, Option<PasswordCallback>, *mut c_void) -> c_int;
    i2d_PKCS8PrivateKey_bio(Raw, Raw, Raw, Text, c_int, Option<PasswordCallback>, *mut c_void) -> c_int;
    i2d_PUBKEY(Raw, *mut Out) -> c_int;
    i2d_PublicKey(Raw, *mut Out) -> c_int;
    i2d_PrivateKey(Raw, *mut Out) -> c_int;
    d2i_PUBKEY(*mut Raw, *mut In, c_long) -> Raw;
    d2i_PublicKey(c_int, *mut Raw, *mut In, c_long) -> Raw;
    d2i_PrivateKey(c_int, *mut Raw, *mut In, c_long) -> Raw;
    d2i_PKCS8PrivateKey_bio(Raw, *mut Raw, Option<PasswordCallback>, *mut c_void) -> Raw;
    d2i_PKCS8_PRIV_KEY_INFO(*mut Raw, *mut In, c_long) -> Raw;
    PKCS8_PRIV_KEY_INFO_free(Raw);
    EVP_PKCS82PKEY(Raw) -> Raw;

    EC_get_builtin_curves(*mut BuiltinCurve, usize) -> usize;
    EC_GROUP_new_by_curve_name(c_int) -> Raw;
    EC_GROUP_free(Raw);
    EC_GROUP_get_degree(Raw) -> c_int;
    EC_GROUP_get0_order(Raw) -> Raw;
    EC_POINT_new(Raw) -> Raw;
    EC_POINT_free(Raw);
    EC_POINT_oct2point(Raw, Raw, In, usize, Raw) -> c_int;
    EC_POINT_point2oct(Raw, Raw, c_int, Out, usize, Raw) -> usize;
    EC_POINT_mul(Raw, Raw, Raw, Raw, Raw, Raw) -> c_int;
    EC_POINT_get_affine_coordinates(Raw, Raw, Raw, Raw, Raw) -> c_int;
    EC_POINT_is_at_infinity(Raw, Raw) -> c_int;
    BN_cmp(Raw, Raw) -> c_int;

    DH_new() -> Raw;
    DH_free(Raw);
    DH_set0_pqg(Raw, Raw, Raw, Raw) -> c_int;
    DH_get0_pqg(Raw, *mut Raw, *mut Raw, *mut Raw);
    DH_set0_key(Raw, Raw, Raw) -> c_int;
    DH_get0_key(Raw, *mut Raw, *mut Raw);
    DH_generate_parameters_ex(Raw, c_int, c_int, Raw) -> c_int;
    DH_generate_key(Raw) -> c_int;
    DH_compute_key(Out, Raw, Raw) -> c_int;
    DH_check(Raw, *mut c_int) -> c_int;
    DH_check_pub_key(Raw, Raw, *mut c_int) -> c_int;
    DH_size(Raw) -> c_int;

    d2i_X509(*mut Raw, *mut In, c_long) -> Raw;
    i2d_X509(Raw, *mut Out) -> c_int;
    X509_free(Raw);
    X509_up_ref(Raw) -> c_int;
    X509_CRL_free(Raw);
    X509_STORE_new() -> Raw;
    X509_STORE_free(Raw);
    X509_STORE_up_ref(Raw) -> c_int;
    X509_STORE_add_cert(Raw, Raw) -> c_int;
    X509_STORE_add_crl(Raw, Raw) -> c_int;
    X509_STORE_set_flags(Raw, c_ulong) -> c_int;
    X509_STORE_CTX_new() -> Raw;
    X509_STORE_CTX_free(Raw);
    X509_STORE_CTX_init(Raw, Raw, Raw, Raw) -> c_int;
    X509_STORE_CTX_get1_issuer(*mut Raw, Raw, Raw) -> c_int;
    X509_verify_cert_error_string(c_long) -> Text;
    d2i_PKCS12_bio(Raw, *mut Raw) -> Raw;
    PKCS12_free(Raw);
    PKCS12_parse(Raw, Text, *mut Raw, *mut Raw, *mut Raw) -> c_int;
    X509_get_subject_name(Raw) -> Raw;
    X509_get_issuer_name(Raw) -> Raw;
    X509_NAME_print_ex(Raw, Raw, c_int, c_ulong) -> c_int;
    X509_NAME_entry_count(Raw) -> c_int;
    X509_NAME_get_entry(Raw, c_int) -> Raw;
    X509_NAME_ENTRY_get_object(Raw) -> Raw;
    X509_NAME_ENTRY_get_data(Raw) -> Raw;
    ASN1_STRING_to_UTF8(*mut Out, Raw) -> c_int;
    ASN1_STRING_get0_data(Raw) -> In;
    ASN1_STRING_length(Raw) -> c_int;
    OBJ_obj2nid(Raw) -> c_int;
    OBJ_obj2txt(*mut c_char, c_int, Raw, c_int) -> c_int;
    X509_get0_notBefore(Raw) -> Raw;
    X509_get0_notAfter(Raw) -> Raw;
    ASN1_TIME_print(Raw, Raw) -> c_int;
    X509_get0_serialNumber(Raw) -> Raw;
    ASN1_INTEGER_to_BN(Raw, Raw) -> Raw;
    X509_get_pubkey(Raw) -> Raw;
    X509_check_host(Raw, Text, usize, c_uint, *mut *mut c_char) -> c_int;
    X509_check_email(Raw, Text, usize, c_uint) -> c_int;
    X509_check_ip_asc(Raw, Text, c_uint) -> c_int;
    X509_check_issued(Raw, Raw) -> c_int;
    X509_check_private_key(Raw, Raw) -> c_int;
    X509_check_ca(Raw) -> c_int;
    X509_verify(Raw, Raw) -> c_int;
    X509_get_signature_nid(Raw) -> c_int;
    X509_get_ext_by_NID(Raw, c_int, c_int) -> c_int;
    X509_get_ext(Raw, c_int) -> Raw;
    X509_EXTENSION_get_data(Raw) -> Raw;
    NETSCAPE_SPKI_b64_decode(Text, c_int) -> Raw;
    NETSCAPE_SPKI_get_pubkey(Raw) -> Raw;
    NETSCAPE_SPKI_verify(Raw, Raw) -> c_int;
    NETSCAPE_SPKI_free(Raw);
    i2d_NETSCAPE_SPKI(Raw, *mut Out) -> c_int;
}
