package dev.veilgate.envelope.smime;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.BERTags;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;

/**
 * Tells whether bytes are SignedData (RFC 5652, section 5) with its content and with a signer, in BER or DER:
 *
 * <pre>{@code
 * SEQUENCE { id-signedData, [0] SEQUENCE {
 *   version, SET digestAlgorithms,
 *   SEQUENCE { id-data, [0] OCTET STRING },
 *   [0] certificates OPTIONAL, [1] crls OPTIONAL,
 *   SET { SEQUENCE signerInfo, ... } } }
 * }</pre>
 *
 * <p>Whether a signature is good is not looked at. The bytes stream through: no length that they name is allocated, as
 * the parsers of Bouncy Castle do with one that a mail as a whole could have. Time is linear, memory constant.
 */
final class SignedDataForm {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_LENGTH_BYTES = 7;
    private static final int CONSTRUCTED = 0x20;
    private static final int HIGH_TAG = 0x1f;
    private static final int SEQUENCE = BERTags.SEQUENCE | CONSTRUCTED;
    private static final int SET = BERTags.SET | CONSTRUCTED;
    private static final int FIRST = BERTags.CONTEXT_SPECIFIC | CONSTRUCTED;
    private static final int SECOND = FIRST | 1;
    private static final long UNKNOWN = -1;
    private static final Element NONE = new Element(-1, 0);

    private final InputStream in;
    private long place;

    private SignedDataForm(InputStream in) {
        this.in = in;
    }

    /** @param length of its content in bytes; {@link #UNKNOWN} for one that ends where two zeros stand */
    private record Element(int tag, long length) {}

    /**
     * Reads a structure.
     *
     * @param bytes read as far as the structure goes; not closed
     * @return its length in bytes; empty if it is another one
     */
    static Optional<Long> lengthOf(InputStream bytes) {
        try {
            SignedDataForm form = new SignedDataForm(bytes);
            return form.isSignedData() ? Optional.of(form.place) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // cut off, no base64, or no BER
        }
    }

    private boolean isSignedData() throws IOException {
        Contents info = opened(new Contents(Long.MAX_VALUE, false).next(), SEQUENCE);
        requireOid(info.next(), CMSObjectIdentifiers.signedData);
        Contents wrapped = opened(info.next(), FIRST);
        Contents data = opened(wrapped.next(), SEQUENCE);
        require(data.next(), BERTags.INTEGER);
        require(data.next(), SET);
        Contents encapsulated = opened(data.next(), SEQUENCE);
        requireOid(encapsulated.next(), CMSObjectIdentifiers.data);
        Contents content = opened(encapsulated.next(), FIRST);
        Element octets = content.next();
        if ((octets.tag & ~CONSTRUCTED) != BERTags.OCTET_STRING) {
            return false;
        }
        skip(octets, 0);
        content.requireEnd();
        encapsulated.requireEnd();
        Element signers = data.next();
        for (int optional = FIRST; optional <= SECOND; optional++) {
            if (signers.tag == optional) {
                skip(signers, 0);
                signers = data.next();
            }
        }
        Contents each = opened(signers, SET);
        Element signer = each.next();
        if (signer.tag != SEQUENCE) {
            return false; // certificates alone
        }
        for (; signer != NONE; signer = each.next()) {
            skip(signer, 0);
        }
        data.requireEnd();
        wrapped.requireEnd();
        info.requireEnd();
        return true;
    }

    private void require(Element element, int tag) throws IOException {
        if (element.tag != tag) {
            throw malformed();
        }
        skip(element, 0);
    }

    private void requireOid(Element element, ASN1ObjectIdentifier expected) throws IOException {
        byte[] content = expected.getEncoded();
        byte[] body = Arrays.copyOfRange(content, 2, content.length); // behind tag and length, of one byte each
        if (element.tag != BERTags.OBJECT_IDENTIFIER || element.length != body.length) {
            throw malformed();
        }
        for (byte one : body) {
            if (one(in.read()) != (one & 0xff)) {
                throw malformed();
            }
        }
    }

    private Contents opened(Element element, int tag) throws IOException {
        if (element.tag != tag) {
            throw malformed();
        }
        return element.length == UNKNOWN
                ? new Contents(Long.MAX_VALUE, true)
                : new Contents(place + element.length, false);
    }

    private void skip(Element element, int depth) throws IOException {
        if (element.length != UNKNOWN) {
            in.skipNBytes(element.length);
            place += element.length;
            return;
        }
        if (depth == MAX_DEPTH || (element.tag & CONSTRUCTED) == 0) {
            throw malformed();
        }
        Contents contents = new Contents(Long.MAX_VALUE, true);
        for (Element each = contents.next(); each != NONE; each = contents.next()) {
            skip(each, depth + 1);
        }
    }

    /** The elements in a constructed one, which are gone through once. */
    private final class Contents {
        private final long end;
        private final boolean isEndMarked;

        Contents(long end, boolean isEndMarked) {
            this.end = end;
            this.isEndMarked = isEndMarked;
        }

        /** The next element, of which the content comes next; {@link #NONE} at the end. */
        Element next() throws IOException {
            if (place == end) {
                return NONE;
            }
            int tag = one(in.read());
            long length = length();
            if (isEndMarked && tag == 0 && length == 0) {
                return NONE;
            }
            if (tag == 0 || (tag & HIGH_TAG) == HIGH_TAG || length > end - place) {
                throw malformed();
            }
            return new Element(tag, length);
        }

        void requireEnd() throws IOException {
            if (next() != NONE) {
                throw malformed();
            }
        }
    }

    private long length() throws IOException {
        int first = one(in.read());
        int bytes = first & 0x7f;
        if (first < 0x80) {
            return first;
        }
        if (bytes > MAX_LENGTH_BYTES) {
            throw malformed();
        }
        long length = bytes == 0 ? UNKNOWN : 0;
        for (int i = 0; i < bytes; i++) {
            length = length << 8 | one(in.read());
        }
        return length;
    }

    private int one(int read) throws IOException {
        if (read < 0) {
            throw new EOFException("cut off");
        }
        place++;
        return read;
    }

    private static IOException malformed() {
        return new IOException("not SignedData");
    }
}
