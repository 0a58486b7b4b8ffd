package dev.veilgate.envelope;

import dev.veilgate.abe.Label;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.BoundHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A decoded envelope; keeps its exact bytes, extensions that are not known here included. Immutable; safe for use by
 * several threads.
 *
 * <p>Decoding checks the form (docs/wire-format.md) and no key: whether somebody signed it says {@link #signedBy},
 * whether its records are whole says {@link EnvelopeOpener}.
 */
public final class Envelope implements BoundHeader {
    /** Most bytes of an encoded envelope. */
    public static final int MAX_BYTES = 16 << 20;

    private final EnvelopeDecoder parts;
    private final byte[] headerDigest;
    private volatile byte @Nullable [] digest;

    private Envelope(EnvelopeDecoder parts) {
        this.parts = parts;
        MessageDigest sha = Hashes.labelled(EnvelopeFormat.LABEL_HEADER);
        sha.update(parts.bytes, parts.entriesStart, parts.headerEnd - parts.entriesStart);
        this.headerDigest = sha.digest();
    }

    /**
     * Decodes untrusted bytes. Needs memory in proportion to their number.
     *
     * @throws MalformedEncodingException naming the field that is wrong; also for a critical field that is not known
     * here
     */
    public static Envelope decode(byte[] bytes) throws MalformedEncodingException {
        EnvelopeDecoder decoder = new EnvelopeDecoder(bytes.length > MAX_BYTES ? bytes : bytes.clone());
        decoder.read();
        return new Envelope(decoder);
    }

    /** A copy of the bytes, as they were decoded. */
    public byte[] bytes() {
        return parts.bytes.clone();
    }

    /** How many bytes it has. */
    public int size() {
        return parts.bytes.length;
    }

    /** SHA-256 of all bytes: what the next envelope of the sender names as its previous one. */
    public byte[] digest() {
        byte[] known = digest;
        if (known == null) {
            known = Hashes.sha256(parts.bytes);
            digest = known; // of threads that race all write the same
        }
        return known.clone();
    }

    /** The UUIDv7 that makes it unique. */
    public UUID id() {
        return Objects.requireNonNull(parts.id);
    }

    /** When it was sealed, by its sender's clock: the time of its id. */
    public Instant sealed() {
        return Instant.ofEpochMilli(id().getMostSignificantBits() >>> 16);
    }

    /** Whose keys it is sealed under. */
    public String tenant() {
        return parts.tenant;
    }

    /** Who sealed it; proven only by {@link #signedBy}. Empty for a sender that is not registered. */
    public String sender() {
        return parts.sender;
    }

    /** Earliest record time, in whole milliseconds, rounded down. */
    public Instant first() {
        return Instant.ofEpochMilli(parts.firstMillis);
    }

    /** Latest record time, rounded up. */
    public Instant last() {
        return Instant.ofEpochMilli(parts.lastMillis);
    }

    /** How many records; 0 for a heartbeat or a pure loss report. */
    public int recordCount() {
        return parts.count;
    }

    /** What a record is. */
    public String mediaType() {
        return parts.mediaType;
    }

    /** By which rules its keywords were made; empty if it does not say so, as those of before. */
    public Optional<IndexRules> indexRules() {
        return Optional.ofNullable(parts.rules);
    }

    /** Whether a mail's attachments were read to their end for its index; empty if it does not say so. */
    public Optional<AttachmentReading> attachmentReading() {
        return Optional.ofNullable(parts.attachments);
    }

    /** The searchable ciphertexts, of schemes known here or not. */
    public List<IndexBlock> index() {
        return parts.index;
    }

    /**
     * Where in {@link #bytes} the payload of an index block begins; it is there as it is in the block, and its header
     * before it. For a store that keeps payloads in another form.
     *
     * @param block its place in {@link #index}
     */
    public int payloadOffset(int block) {
        return parts.payloads[block];
    }

    /** SHA-256 of a sealed content that travels elsewhere (a mail's S/MIME body); empty if the records are inside. */
    public Optional<byte[]> detachedDigest() {
        return Optional.ofNullable(parts.detached).map(byte[]::clone);
    }

    /**
     * What index blocks are bound to: sender, id, and a digest of header, commitment and encrypted records.
     */
    public MessageContext context() {
        byte[] records = Arrays.copyOfRange(parts.bytes, parts.recordsStart, parts.recordsEnd);
        return context(parts.sender, id(), headerDigest, parts.commitment, records);
    }

    static MessageContext context(
            String sender, UUID id, byte[] headerDigest, byte @Nullable [] commitment, byte[] recordsField) {
        MessageDigest sha = Hashes.labelled(EnvelopeFormat.LABEL_CONTENT);
        sha.update(headerDigest);
        sha.update(commitment == null ? new byte[EnvelopeFormat.DIGEST_BYTES] : commitment);
        return new MessageContext(sender, id, sha.digest(recordsField));
    }

    /** What the sender says it had to drop. */
    public List<LossReport> loss() {
        return parts.loss;
    }

    /** The sender's promise of its next envelope, in seconds after {@link #sealed}; 0 for none. */
    public int heartbeatSeconds() {
        return parts.heartbeatSeconds;
    }

    /** 0 if the sender is not registered. */
    public long sequence() {
        return parts.sequence;
    }

    /**
     * Digest of the sender's previous envelope; 32 zero bytes for the first and for a sender that is not registered.
     */
    public byte[] previousDigest() {
        return parts.previous == null ? new byte[EnvelopeFormat.DIGEST_BYTES] : parts.previous.clone();
    }

    /** Whether the named sender signed exactly these bytes. False also if there is no signature. */
    public boolean signedBy(SenderPublicKey key) {
        return parts.signature != null
                && key.sender().equals(parts.sender)
                && signedBy(new SenderPublicKey.Verifier(key));
    }

    /** The same for a key that is ready; the caller has compared the names. */
    boolean signedBy(SenderPublicKey.Verifier verifier) {
        byte[] signature = parts.signature;
        return signature != null && verifier.verify(EnvelopeFormat.SIGNATURE_CONTEXT, signedDigest(), signature);
    }

    /**
     * Header fields of a mail that are outside its sealed content, as who sealed it left them: {@code Name: value},
     * printable ASCII,
     * unfolded. Proven only by {@link #isBoundBy}. Empty for an envelope that says nothing of them.
     */
    @Override
    public List<String> outerFields() {
        return parts.outer;
    }

    /** DER of the certificate by which a mail's envelope is signed; empty if it is not. */
    @Override
    public Optional<byte[]> mailCertificate() {
        return Optional.ofNullable(parts.mailCertificate).map(byte[]::clone);
    }

    /**
     * Tells if the holder of a certificate's key bound the outer fields, index and wraps of a mail to its content:
     * signed this envelope, all but the signature. By SHA-256 and ECDSA
     * or RSASSA-PKCS1-v1_5; whose the certificate is, the caller has to know.
     */
    @Override
    public boolean isBoundBy(X509Certificate certificate) {
        byte[] signature = parts.mailSignature;
        byte[] encoded = parts.mailCertificate;
        return signature != null && encoded != null && MailSigner.isSigned(mailSigned(encoded), signature, certificate);
    }

    /** Bytes that the key of the mail's certificate signs. */
    private byte[] mailSigned(byte[] certificate) {
        MessageDigest sha = Hashes.sha256();
        updateWithout(sha, parts.mailSignatureStart, parts.mailSignatureEnd);
        return MailBinding.signed(sha.digest(), certificate);
    }

    /** SHA-512 of the envelope as it would be without its signature. */
    private byte[] signedDigest() {
        MessageDigest sha = Hashes.sha512();
        updateWithout(sha, parts.signatureStart, parts.signatureEnd);
        return sha.digest();
    }

    /** Takes in the envelope as it would be without one of its fields. */
    private void updateWithout(MessageDigest sha, int from, int to) {
        sha.update(new CborWriter(16).map(parts.fields - 1).toByteArray());
        sha.update(parts.bytes, parts.entriesStart, from - parts.entriesStart);
        sha.update(parts.bytes, to, parts.bytes.length - to);
    }

    byte[] headerDigest() {
        return headerDigest;
    }

    byte @Nullable [] attributes() {
        return parts.attributes;
    }

    /** What sealed attributes are bound to: the rest of the header. */
    byte[] digestWithoutAttributes() {
        MessageDigest sha = Hashes.labelled(EnvelopeFormat.LABEL_ATTRIBUTES);
        sha.update(parts.bytes, parts.entriesStart, parts.attributesStart - parts.entriesStart);
        sha.update(parts.bytes, parts.attributesEnd, parts.headerEnd - parts.attributesEnd);
        return sha.digest();
    }

    byte @Nullable [] commitment() {
        return parts.commitment;
    }

    /**
     * Whom it is sealed for, besides the authority: each alone is enough, and each is there once. None: whoever has the
     * tenant's key. Wraps that say nothing understandable are left out.
     */
    public List<Label> readers() {
        List<Label> labels = new ArrayList<>();
        for (WrappedKey wrap : parts.wraps) {
            if (PolicyWrap.isOne(wrap)) {
                try {
                    Label label = PolicyWrap.label(wrap);
                    if (!labels.contains(label)) { // a wrap for each of its epochs
                        labels.add(label);
                    }
                } catch (MalformedEncodingException e) {
                    continue; // nobody opens it
                }
            }
        }
        return labels;
    }

    /**
     * What the content key is wrapped with, each algorithm once: ids of {@link WrapAlgorithm}, behind {@code abe+} for
     * policies, and whatever others its sender names. The weakest counts.
     */
    public List<String> wrapAlgorithms() {
        return parts.wraps.stream().map(WrappedKey::algorithm).distinct().toList();
    }

    List<WrappedKey> wraps() {
        return parts.wraps;
    }

    int sealedRecords() {
        return parts.records.size();
    }

    byte[] sealedRecord(int ordinal) {
        EnvelopeDecoder.Slice slice = parts.records.get(ordinal);
        return Arrays.copyOfRange(parts.bytes, slice.from(), slice.to());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Envelope that && Arrays.equals(parts.bytes, that.parts.bytes);
    }

    @Override
    public int hashCode() {
        return id().hashCode();
    }

    @Override
    public String toString() {
        return "Envelope[" + id() + ", " + parts.count + " records, " + parts.bytes.length + " bytes]";
    }
}
