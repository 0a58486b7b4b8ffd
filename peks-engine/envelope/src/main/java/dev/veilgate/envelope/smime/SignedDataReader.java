package dev.veilgate.envelope.smime;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1OctetStringParser;
import org.bouncycastle.asn1.ASN1SequenceParser;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.ASN1SetParser;
import org.bouncycastle.asn1.ASN1StreamParser;
import org.bouncycastle.asn1.BERTags;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.cms.ContentInfo;
import org.bouncycastle.asn1.cms.ContentInfoParser;
import org.bouncycastle.asn1.cms.SignedDataParser;
import org.jspecify.annotations.Nullable;

/**
 * Reads the base64 of a {@link SignedEntity} and passes on what is signed, before its signature is there to be
 * checked. What is wrong is not said, so that nobody learns from the kind of a refusal what a forged content is.
 */
final class SignedDataReader {
    /** Most bytes before and behind what is signed: algorithms, a chain, the signature. */
    private static final int MAX_BYTES_AROUND = 256 << 10;

    /** Most bytes that end what has no length: two zeros for each of what stands in each other. */
    private static final int MAX_ENDS = 16;

    private static final byte[] NONE = {};

    private final InputStream base64;
    private final Limited in;
    private final OutputStream signed;
    private final MessageDigest digest;

    /**
     * Reads from the first byte of the base64 on.
     *
     * @param signed takes what is signed; not closed
     * @param digest of what is signed
     */
    SignedDataReader(InputStream base64, OutputStream signed, MessageDigest digest) {
        this.base64 = new Base64Lines(base64);
        this.in = new Limited(Base64.getDecoder().wrap(this.base64));
        this.signed = signed;
        this.digest = digest;
    }

    /**
     * Reads all of it.
     *
     * @return SignedData without content, with its certificates; empty if what came is not the structure that we write
     * @throws UncheckedIOException if what is signed cannot be passed on
     */
    byte[] read() {
        try {
            return parse();
        } catch (UncheckedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            return NONE; // Bouncy Castle's parsers throw several kinds at malformed input
        }
    }

    private byte[] parse() throws IOException {
        if (!(new ASN1StreamParser(in, MAX_BYTES_AROUND).readObject() instanceof ASN1SequenceParser sequence)) {
            return NONE;
        }
        ContentInfoParser info = new ContentInfoParser(sequence);
        if (!CMSObjectIdentifiers.signedData.equals(info.getContentType())) {
            return NONE;
        }
        SignedDataParser data = SignedDataParser.getInstance(info.getContent(BERTags.SEQUENCE));
        ASN1Integer version = data.getVersion();
        ASN1Set algorithms = set(data.getDigestAlgorithms());
        ContentInfoParser content = data.getEncapContentInfo();
        if (!(content.getContent(BERTags.OCTET_STRING) instanceof ASN1OctetStringParser octets)) {
            return NONE;
        }
        in.left = Long.MAX_VALUE;
        pass(octets.getOctetStream());
        in.left = MAX_BYTES_AROUND;
        ASN1Set certificates = set(data.getCertificates());
        set(data.getCrls());
        ASN1EncodableVector detached = new ASN1EncodableVector();
        detached.add(version);
        detached.add(algorithms);
        detached.add(new DERSequence(content.getContentType()));
        if (certificates.size() > 0) {
            detached.add(new DERTaggedObject(false, 0, certificates));
        }
        detached.add(set(data.getSignerInfos()));
        byte[] ends = in.readNBytes(MAX_ENDS + 1);
        if (ends.length > MAX_ENDS || !Arrays.equals(ends, new byte[ends.length]) || base64.read() >= 0) {
            return NONE; // something stands behind it
        }
        return new ContentInfo(CMSObjectIdentifiers.signedData, new DERSequence(detached)).getEncoded(ASN1Encoding.DER);
    }

    private static ASN1Set set(@Nullable ASN1SetParser parser) {
        return parser == null ? new DERSet() : ASN1Set.getInstance(parser.toASN1Primitive());
    }

    private void pass(InputStream content) throws IOException {
        byte[] buffer = new byte[64 << 10];
        for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
            digest.update(buffer, 0, n);
            try {
                signed.write(buffer, 0, n);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Ends where too much came. */
    private static final class Limited extends FilterInputStream {
        private long left = MAX_BYTES_AROUND;

        Limited(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) == 1 ? one[0] & 0xff : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left <= 0) {
                return length == 0 ? 0 : -1;
            }
            int n = in.read(bytes, offset, (int) Math.min(length, left));
            left -= Math.max(n, 0);
            return n;
        }
    }
}
