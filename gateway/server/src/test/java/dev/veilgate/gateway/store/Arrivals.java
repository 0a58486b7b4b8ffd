package dev.veilgate.gateway.store;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.ingest.ForgedMail;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.query.IndexAdmission;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What ingestion hands to a store. */
public final class Arrivals {
    /** All. */
    public static final IndexSchemes SCHEMES = IndexSchemes.load();

    private static final SecureRandom RANDOM = new SecureRandom();

    private Arrivals() {}

    /** An envelope that came alone. */
    public static Arrival of(byte[] envelope, Instant arrived) {
        return of(envelope, null, arrived);
    }

    /** The name of an envelope that stands for itself. */
    public static EnvelopeName name(byte[] envelope) {
        return EnvelopeName.of(of(envelope, Instant.EPOCH).envelope());
    }

    /** With the content beside it. */
    public static Arrival of(byte[] bytes, byte @org.jspecify.annotations.Nullable [] content, Instant arrived) {
        try {
            Envelope envelope = Envelope.decode(bytes);
            return new Arrival(envelope, IndexAdmission.trust(envelope, SCHEMES), content, arrived);
        } catch (MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * What a stranger makes of a mail: its id, a bit flipped in each block of its index, which then finds nothing, and
     * another content beside it.
     *
     * @param at which bits
     */
    public static Arrival altered(Arrival mail, int at, Instant arrived) {
        byte[] bytes = mail.envelope().bytes();
        for (int block = 0; block < mail.envelope().index().size(); block++) {
            ForgedMail.flipBit(bytes, mail.envelope().payloadOffset(block), at);
        }
        return of(bytes, "To: eve@acme.example\r\n\r\nanother".getBytes(StandardCharsets.US_ASCII), arrived);
    }

    /** A mail for two mailboxes: its index, with more words than a block has slots, for each of them. */
    public static Arrival mail(TestTenant tenant, Clock clock, List<String> scopes, String... words) throws Exception {
        PublicBundle bundle =
                PublicBundle.verify(tenant.bundle(), tenant.keys().authority().fingerprint(), clock.instant());
        List<Posting> postings = new ArrayList<>();
        for (String word : words) {
            postings.add(Posting.of(Keyword.text("word", word), 0));
        }
        IntStream.range(0, 300).forEach(i -> postings.add(Posting.of(Keyword.text("word", "filler-" + i), 0)));
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, clock, RANDOM)) {
            byte[] envelope = sealer.sealDetached(
                            draft(tenant, clock, List.of(), List.of()),
                            scopes,
                            postings,
                            new byte[32],
                            new byte[32],
                            ChainPosition.first(),
                            null)
                    .bytes();
            return of(
                    envelope,
                    "To: ops@acme.example\r\n\r\nsealed".getBytes(StandardCharsets.US_ASCII),
                    clock.instant());
        }
    }

    /** Two blocks, of which the gateway knows the scheme of the second only. */
    static Arrival ofSchemeFromTomorrow(TestTenant tenant, Clock clock, String word) throws Exception {
        PublicBundle bundle =
                PublicBundle.verify(tenant.bundle(), tenant.keys().authority().fingerprint(), clock.instant());
        PublicBundle.IndexKey key = bundle.indexKeys().getFirst();
        IndexSealer known = SCHEMES.byId(key.scheme()).sealer(key.publicKey(), RANDOM);
        try (EnvelopeSealer sealer = new EnvelopeSealer(
                tenant.keys().tenant(), List.of(new Tomorrow(), known), bundle.wrapKey(), null, clock, RANDOM)) {
            List<Posting> postings = List.of(Posting.of(Keyword.text("word", word), 0));
            EnvelopeDraft draft = draft(tenant, clock, List.of(word.getBytes(StandardCharsets.UTF_8)), postings);
            return of(sealer.seal(draft, ChainPosition.first()).bytes(), clock.instant());
        }
    }

    /** A heartbeat: no records, no index. */
    static Arrival heartbeat(TestTenant tenant, Clock clock) throws Exception {
        PublicBundle bundle =
                PublicBundle.verify(tenant.bundle(), tenant.keys().authority().fingerprint(), clock.instant());
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, clock, RANDOM)) {
            return of(
                    sealer.seal(draft(tenant, clock, List.of(), List.of()), ChainPosition.first())
                            .bytes(),
                    clock.instant());
        }
    }

    private static EnvelopeDraft draft(TestTenant tenant, Clock clock, List<byte[]> records, List<Posting> postings) {
        return new EnvelopeDraft(
                TestTenant.SCOPE,
                tenant.epoch(clock),
                clock.instant(),
                clock.instant(),
                "text/plain",
                records,
                postings,
                List.of(),
                0);
    }

    private static final class Tomorrow implements IndexSealer {
        @Override
        public KeyId keyId() {
            return KeyId.of(new byte[KeyId.BYTES]);
        }

        @Override
        public List<IndexBlock> seal(
                KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
            return List.of(
                    new IndexBlock("tomorrow", "P1", keyId(), domain.scope(), domain.epoch(), new byte[] {1, 2, 3}));
        }
    }
}
