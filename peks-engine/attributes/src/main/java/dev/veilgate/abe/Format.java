package dev.veilgate.abe;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.secret.Secret;

/** How keys and ciphertexts begin: version, kind, scheme. So none is taken for another, nor for one of another scheme. */
@Secret
enum Format {
    PUBLIC_KEY(1, "attribute-public-key"),
    MASTER_KEY(2, "attribute-master-key"),
    SECRET_KEY(3, "attribute-secret-key"),
    CIPHERTEXT(4, "attribute-ciphertext"),
    TRANSFORM_KEY(5, "attribute-transform-key"),
    RETRIEVAL_KEY(6, "attribute-retrieval-key");

    private static final int VERSION = 1;

    private final int code;
    private final String what;

    /** @param what for errors */
    Format(int code, String what) {
        this.code = code;
        this.what = what;
    }

    /** @param more bytes that will follow */
    ByteWriter begin(String scheme, int more) {
        return new ByteWriter(3 + scheme.length() + more)
                .uint8(VERSION)
                .uint8(code)
                .shortString(scheme);
    }

    /** A key that belongs to a public key. */
    ByteWriter begin(String scheme, KeyId publicKeyId, byte[] key) {
        return begin(scheme, KeyId.BYTES + key.length)
                .bytes(publicKeyId.toBytes())
                .bytes(key);
    }

    ByteReader reader(byte[] bytes) {
        return new ByteReader(what, bytes);
    }

    /** Reads the beginning. */
    SchemeKem<?, ?, ?, ?, ?, ?> scheme(ByteReader in) throws MalformedEncodingException {
        return AttributeKems.scheme(schemeId(in));
    }

    /** Reads the beginning; the scheme need not be one that is here. */
    String schemeId(ByteReader in) throws MalformedEncodingException {
        in.expect("version", VERSION);
        in.expect("kind", code);
        return in.shortString("scheme");
    }

    /**
     * A key that belongs to a public key, taken apart.
     *
     * @param key the scheme's encoding
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Key(SchemeKem<?, ?, ?, ?, ?, ?> kem, KeyId publicKeyId, byte[] key) {}

    Key read(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = reader(bytes);
        SchemeKem<?, ?, ?, ?, ?, ?> kem = scheme(in);
        KeyId publicKeyId = KeyId.of(in.bytes("public-key-id", KeyId.BYTES));
        return new Key(kem, publicKeyId, in.bytes("key", in.remaining()));
    }
}
