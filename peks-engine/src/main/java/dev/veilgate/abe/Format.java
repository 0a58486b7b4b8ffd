package dev.veilgate.abe;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import java.util.Arrays;

/** How keys and ciphertexts begin: version, kind, scheme. So none is taken for another, nor for one of another scheme. */
enum Format {
    PUBLIC_KEY(1),
    MASTER_KEY(2),
    SECRET_KEY(3),
    CIPHERTEXT(4),
    TRANSFORM_KEY(5),
    RETRIEVAL_KEY(6);

    private static final int VERSION = 1;

    private final int code;

    Format(int code) {
        this.code = code;
    }

    /** @param more bytes that will follow */
    ByteWriter begin(String scheme, int more) {
        return new ByteWriter(3 + scheme.length() + more)
                .uint8(VERSION)
                .uint8(code)
                .shortString(scheme);
    }

    byte[] secret(String scheme, KeyId publicKeyId, Held<?> key) {
        byte[] inner = key.encode();
        ByteWriter out = begin(scheme, KeyId.BYTES + inner.length)
                .bytes(publicKeyId.toBytes())
                .bytes(inner);
        byte[] encoded = out.toByteArray();
        out.wipe();
        Arrays.fill(inner, (byte) 0);
        return encoded;
    }

    /** Reads the beginning. */
    SchemeKem<?, ?, ?, ?, ?> scheme(ByteReader in) throws MalformedEncodingException {
        return AttributeKems.scheme(schemeId(in));
    }

    /** Reads the beginning; the scheme need not be one that is here. */
    String schemeId(ByteReader in) throws MalformedEncodingException {
        in.expect("version", VERSION);
        in.expect("kind", code);
        return in.shortString("scheme");
    }
}
