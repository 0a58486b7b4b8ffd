package dev.veilgate.envelope;

import dev.veilgate.abe.Label;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Seals envelopes of one sender under a tenant's public bundle. Safe for use by several threads; the chain is the
 * caller's.
 *
 * <p><b>Security.</b> Records: confidential as long as X25519 or the lattice scheme beside it holds ({@link
 * WrapAlgorithm}), and AES-256 (IND-CCA: {@link WrappedKey}, {@link ContentKey}). Nobody without the content key can
 * alter, move, drop or repeat a record inside an envelope, even without a signature; with an identity, nobody can alter
 * anything. Not hidden: the header, sizes, and what the index schemes do not hide. There is no forward secrecy against
 * the tenant's key: whoever gets it opens all that was sealed for it.
 *
 * <p><b>Randomness.</b> A call draws 16 bytes for the id, 32 for the content key, 64 for its wrap (56 for FrodoKEM), 32
 * for the signature, and what the index schemes draw. A content key is used for one envelope only, so nonces are
 * ordinals.
 */
public final class EnvelopeSealer implements AutoCloseable {
    private final String tenant;
    private final List<IndexSealer> index;
    private final KemPublicKey wrapKey;
    private final List<PolicyKey> policyKeys;
    private final @Nullable SigningKey identity;
    private final Clock clock;
    private final SecureRandom random;

    /**
     * Seals under every index key and for the wrap key of a bundle.
     *
     * @param identity null: an unregistered sender (mail), no sequence and no signature; stays the caller's to close
     * @throws IllegalArgumentException if the bundle has an index key of a scheme that is not installed here
     */
    public EnvelopeSealer(PublicBundle bundle, @Nullable SigningKey identity, Clock clock, SecureRandom random) {
        this(bundle.tenant(), sealers(bundle, random), bundle.wrapKey(), bundle.policyKeys(), identity, clock, random);
    }

    /**
     * {@link #EnvelopeSealer(String, List, KemPublicKey, List, SigningKey, Clock, SecureRandom)} where no policy is
     * used.
     */
    public EnvelopeSealer(
            String tenant,
            List<IndexSealer> index,
            KemPublicKey wrapKey,
            @Nullable SigningKey identity,
            Clock clock,
            SecureRandom random) {
        this(tenant, index, wrapKey, List.of(), identity, clock, random);
    }

    /**
     * Seals with chosen index sealers: for parameter sets that a program names, and for sites that keep no index.
     *
     * @param index      closed with this sealer
     * @param policyKeys for drafts that name their readers
     */
    public EnvelopeSealer(
            String tenant,
            List<IndexSealer> index,
            KemPublicKey wrapKey,
            List<PolicyKey> policyKeys,
            @Nullable SigningKey identity,
            Clock clock,
            SecureRandom random) {
        int length = ByteWriter.utf8(tenant).length;
        if (length < 1 || length > EnvelopeFormat.MAX_NAME_BYTES) {
            throw new IllegalArgumentException("a tenant has 1 to 255 bytes in UTF-8");
        }
        this.tenant = tenant;
        this.index = List.copyOf(index);
        this.wrapKey = wrapKey;
        this.policyKeys = List.copyOf(policyKeys);
        this.identity = identity;
        this.clock = clock;
        this.random = random;
    }

    private static List<IndexSealer> sealers(PublicBundle bundle, SecureRandom random) {
        IndexSchemes schemes = IndexSchemes.load();
        List<IndexSealer> sealers = new ArrayList<>();
        Set<String> sealed = new HashSet<>();
        try {
            for (PublicBundle.IndexKey key : bundle.indexKeys()) {
                if (sealed.add(key.scheme())) { // the first is the current one; earlier ones are there for searches
                    sealers.add(schemes.byId(key.scheme()).sealer(key.publicKey(), random));
                }
            }
        } catch (MalformedEncodingException e) {
            throw new IllegalArgumentException(
                    "the bundle has an index key that cannot be used here: " + e.getMessage());
        }
        return sealers;
    }

    /**
     * Draws the content key, encrypts each record, seals the index, wraps the key for the tenant, signs.
     *
     * @param position where the envelope goes; ignored without an identity
     * @throws IllegalArgumentException if the envelope would have more than {@link Envelope#MAX_BYTES}: split the
     * records
     */
    public SealedEnvelope seal(EnvelopeDraft draft, ChainPosition position) {
        if (draft.attachments() != null) {
            throw new IllegalArgumentException("only a content that is elsewhere has attachments");
        }
        EnvelopeHeader header = header(draft, draft.records().size(), position, null, List.of());
        byte[] contentKey = new byte[EnvelopeFormat.CONTENT_KEY_BYTES];
        random.nextBytes(contentKey);
        try {
            SealedAttributes.Content attributes = SealedAttributes.Content.of(draft);
            EnvelopeHeader whole = attributes.isEmpty()
                    ? header
                    : header.withAttributes(SealedAttributes.seal(contentKey, header.encode(), attributes));
            return seal(draft, whole, contentKey);
        } finally {
            Arrays.fill(contentKey, (byte) 0);
        }
    }

    /**
     * The index and the wrapped key of one sealed content that travels elsewhere, such as the S/MIME body of a mail: an
     * envelope with a count of one record, which is not inside.
     *
     * @param draft         keywords name record 0; its records must be empty
     * @param postings      the keywords
     * @param contentDigest SHA-256 of the sealed content, 32 bytes
     * @param contentKey    the content's own AES-256 key, 32 bytes, used for nothing else; the caller erases it
     */
    public SealedEnvelope sealDetached(
            EnvelopeDraft draft,
            List<Posting> postings,
            byte[] contentDigest,
            byte[] contentKey,
            ChainPosition position) {
        return sealDetached(draft, List.of(draft.scope()), postings, contentDigest, contentKey, position, null);
    }

    /**
     * The same for a content that belongs to several scopes, such as a mail to two mailboxes, with a set of blocks
     * for each; and with the header of a mail.
     *
     * @param scopes  instead of the draft's; each once
     * @param binding fields and whose signature binds them; null for none
     */
    public SealedEnvelope sealDetached(
            EnvelopeDraft draft,
            List<String> scopes,
            List<Posting> postings,
            byte[] contentDigest,
            byte[] contentKey,
            ChainPosition position,
            @Nullable MailBinding binding) {
        if (!draft.records().isEmpty()) {
            throw new IllegalArgumentException("the content is elsewhere: the draft must have no records");
        }
        if (contentDigest.length != EnvelopeFormat.DIGEST_BYTES
                || contentKey.length != EnvelopeFormat.CONTENT_KEY_BYTES) {
            throw new IllegalArgumentException("digest and content key have 32 bytes each");
        }
        List<String> outer = binding == null ? List.of() : binding.outer();
        EnvelopeHeader header = header(draft, 1, position, contentDigest.clone(), outer);
        return assemble(header, body(draft, scopes, postings, header, contentKey), binding);
    }

    private SealedEnvelope seal(EnvelopeDraft draft, EnvelopeHeader header, byte[] contentKey) {
        if (header.count() == 0) {
            return assemble(header, new Body(0, new byte[0], header.encode()), null);
        }
        return assemble(header, body(draft, List.of(draft.scope()), draft.postings(), header, contentKey), null);
    }

    private EnvelopeHeader header(
            EnvelopeDraft draft, int count, ChainPosition position, byte @Nullable [] detached, List<String> outer) {
        long first = EnvelopeHeader.floorMillis(draft.first());
        long last = EnvelopeHeader.ceilMillis(draft.last());
        if (draft.last().isBefore(draft.first())) {
            first = EnvelopeHeader.floorMillis(draft.last());
            last = EnvelopeHeader.ceilMillis(draft.first());
        }
        return new EnvelopeHeader(
                UuidV7.make(clock, random),
                tenant,
                identity == null ? "" : identity.publicKey().sender(),
                first,
                last,
                count,
                draft.mediaType(),
                identity == null ? null : position,
                draft.heartbeatSeconds(),
                draft.loss(),
                detached,
                null,
                outer,
                count == 0 ? null : draft.rules(),
                draft.attachments());
    }

    /** The fields from {@link EnvelopeFormat#FIRST_BODY_KEY} on, and how many. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Body(int fields, byte[] encoded, byte[] header) {}

    private Body body(
            EnvelopeDraft draft,
            List<String> scopes,
            List<Posting> postings,
            EnvelopeHeader header,
            byte[] contentKey) {
        byte[] encodedHeader = header.encode();
        byte[] headerDigest = Hashes.labelled(EnvelopeFormat.LABEL_HEADER).digest(encodedHeader);
        byte[] sealed;
        byte[] commitment;
        try (ContentKey key = new ContentKey(contentKey, headerDigest)) {
            sealed = sealRecords(key, draft.records());
            commitment = key.commitment();
        }
        MessageContext context = Envelope.context(header.sender(), header.id(), headerDigest, commitment, sealed);
        List<byte[]> blocks = new ArrayList<>();
        for (String scope : scopes) {
            KeywordDomain domain = new KeywordDomain(tenant, scope, draft.epoch());
            for (IndexSealer sealer : index) {
                for (IndexBlock block : sealer.seal(domain, context, header.count(), postings)) {
                    blocks.add(block.encode());
                }
            }
        }
        if (blocks.size() > EnvelopeFormat.MAX_INDEX_BLOCKS) {
            throw new IllegalArgumentException("too many keywords for one envelope: split the records");
        }
        List<WrappedKey> wraps = wraps(draft, headerDigest, contentKey);
        int bytes = sealed.length
                + blocks.stream().mapToInt(b -> b.length + 5).sum()
                + wraps.stream()
                        .mapToInt(wrap -> wrap.encapsulation().length + 256)
                        .sum()
                + 512;
        CborWriter out = new CborWriter(bytes);
        out.integer(EnvelopeFormat.KEY_COMMITMENT).bytes(commitment);
        if (sealed.length > 0) {
            out.integer(EnvelopeFormat.KEY_RECORDS).encoded(sealed);
        }
        if (!blocks.isEmpty()) {
            out.integer(EnvelopeFormat.KEY_INDEX).array(blocks.size());
            blocks.forEach(out::bytes);
        }
        out.integer(EnvelopeFormat.KEY_WRAPS).array(wraps.size());
        for (WrappedKey wrap : wraps) {
            out.array(4).text(wrap.algorithm()).bytes(wrap.keyId().toBytes());
            out.bytes(wrap.encapsulation()).bytes(wrap.wrapped());
        }
        int fields = 2 + (sealed.length > 0 ? 1 : 0) + (blocks.isEmpty() ? 0 : 1);
        return new Body(fields, out.toByteArray(), encodedHeader);
    }

    /** For each policy of the readers, and then for nobody else; for the tenant's key where none is named. */
    private List<WrappedKey> wraps(EnvelopeDraft draft, byte[] headerDigest, byte[] contentKey) {
        if (draft.readers().isEmpty()) {
            return List.of(WrappedKey.forRecipient(wrapKey, headerDigest, contentKey, random));
        }
        List<WrappedKey> wraps = new ArrayList<>();
        for (Label label : draft.readers()) {
            Label present = label.in(draft.epoch());
            for (PolicyKey key : PolicyKey.toSeal(policyKeys, present)) {
                wraps.add(PolicyWrap.seal(key, present, headerDigest, contentKey, random));
            }
        }
        if (wraps.size() > EnvelopeDraft.MAX_LABELS) {
            throw new IllegalArgumentException("an envelope is for at most " + EnvelopeDraft.MAX_LABELS
                    + " policies, of which one that names several epochs counts for each");
        }
        return wraps;
    }

    /** The array of encrypted records, encoded; nothing for none. */
    private static byte[] sealRecords(ContentKey key, List<byte[]> records) {
        if (records.isEmpty()) {
            return new byte[0];
        }
        long bytes = 0;
        for (byte[] record : records) {
            bytes += record.length + EnvelopeFormat.TAG_BYTES + 5;
        }
        if (bytes > Envelope.MAX_BYTES) {
            throw tooLarge();
        }
        CborWriter out = new CborWriter((int) bytes + 8);
        out.array(records.size());
        for (int i = 0; i < records.size(); i++) {
            out.bytes(key.sealRecord(i, records.get(i)));
        }
        return out.toByteArray();
    }

    private SealedEnvelope assemble(EnvelopeHeader header, Body body, @Nullable MailBinding binding) {
        int fields = header.fields() + body.fields;
        byte[] mailSignature = binding == null ? new byte[0] : mailSignature(header, body, binding);
        CborWriter unsigned = new CborWriter(body.header.length + body.encoded.length + mailSignature.length + 16);
        unsigned.map(fields + (binding == null ? 0 : 1)).encoded(body.header).encoded(body.encoded);
        SigningKey signer = identity;
        ChainPosition position = header.position();
        if (signer == null || position == null) {
            byte[] bytes = limited(unsigned.encoded(mailSignature).toByteArray());
            return new SealedEnvelope(header.id(), 0, bytes, ChainPosition.first());
        }
        if (binding != null) {
            throw new IllegalArgumentException("the envelope of a registered sender is signed by that sender");
        }
        byte[] digest = Hashes.sha512().digest(unsigned.toByteArray());
        byte[] signature = signer.signDigest(EnvelopeFormat.SIGNATURE_CONTEXT, digest, random);
        CborWriter out = new CborWriter(body.header.length + body.encoded.length + signature.length + 32);
        out.map(fields + 1).encoded(body.header).encoded(body.encoded);
        byte[] bytes = limited(
                out.integer(EnvelopeFormat.KEY_SIGNATURE).bytes(signature).toByteArray());
        ChainPosition next = new ChainPosition(Math.addExact(position.sequence(), 1), Hashes.sha256(bytes));
        return new SealedEnvelope(header.id(), position.sequence(), bytes, next);
    }

    /** The field with the signature, encoded. */
    private static byte[] mailSignature(EnvelopeHeader header, Body body, MailBinding binding) {
        MessageDigest sha = Hashes.sha256();
        sha.update(new CborWriter(16).map(header.fields() + body.fields).toByteArray());
        sha.update(body.header);
        MailSigner signer = binding.signer();
        byte[] certificate = signer.encodedLeaf();
        byte[] signed = MailBinding.signed(sha.digest(body.encoded), certificate);
        return new CborWriter(4096)
                .text(EnvelopeFormat.KEY_MAIL_SIGNATURE)
                .array(2)
                .bytes(certificate)
                .bytes(signer.sign(signed))
                .toByteArray();
    }

    private static byte[] limited(byte[] envelope) {
        if (envelope.length > Envelope.MAX_BYTES) {
            throw tooLarge();
        }
        return envelope;
    }

    private static IllegalArgumentException tooLarge() {
        return new IllegalArgumentException(
                "an envelope has at most " + Envelope.MAX_BYTES + " bytes: split the records");
    }

    /** Erases what the index sealers prepared. */
    @Override
    public void close() {
        for (IndexSealer sealer : index) {
            sealer.close();
        }
    }
}
