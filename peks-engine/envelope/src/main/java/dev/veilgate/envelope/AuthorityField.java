package dev.veilgate.envelope;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;

/**
 * Version and authority at the beginning of a document that an authority signs: the version is that of its key, so that
 * software which knows no later keys says that it must be updated.
 */
public final class AuthorityField {
    private AuthorityField() {}

    /**
     * Reads a version, then a key in a byte string.
     *
     * @param maxBytes most bytes of the key
     */
    public static SenderPublicKey read(CborReader in, int maxBytes) throws MalformedEncodingException {
        return read(in, readVersion(in), maxBytes);
    }

    /** Reads the version of a document. */
    public static int readVersion(CborReader in) throws MalformedEncodingException {
        int version = in.uint("version", Integer.MAX_VALUE);
        if (version != SenderPublicKey.SENDER && version != SenderPublicKey.AUTHORITY) {
            throw in.malformed("version", "must be 1 or 2; update the software to read a later one");
        }
        return version;
    }

    /**
     * Reads a key in a byte string, somewhere behind the version.
     *
     * @param version  of the document
     * @param maxBytes most bytes of the key
     */
    public static SenderPublicKey read(CborReader in, int version, int maxBytes) throws MalformedEncodingException {
        SenderPublicKey authority = SenderPublicKey.decodeAuthority(in.bytes("authority", maxBytes));
        if (authority.version() != version) {
            throw in.malformed("authority", "must have a key of the document's version, " + version);
        }
        return authority;
    }
}
