package dev.veilgate.authority;

import dev.veilgate.abe.Label;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PolicyKey;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.query.Expression;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** A key folder of {@code acme}, and an envelope of two records sealed under its keys: {@code first} and a word. */
final class SealedWord {
    static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    static final byte[] PASSPHRASE = "correct horse battery".getBytes(StandardCharsets.UTF_8);
    static final PassphraseCost CHEAP = new PassphraseCost(64, 1, 1);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Made once: a pair of keys takes a second. */
    private static final byte[] KEYS =
            TenantKeysCodec.encode(TenantKeys.generate("acme", EpochPolicy.MONTHLY, new byte[] {1}, RANDOM, NOW));

    private SealedWord() {}

    /** A new folder with the same keys every time. */
    static Path keys(Path parent) throws Exception {
        Path folder = parent.resolve("keys");
        KeyFolder.create(folder, TenantKeysCodec.decode(KEYS), PASSPHRASE, CHEAP, RANDOM)
                .close();
        return folder;
    }

    static KeyFolder open(Path folder, Access access) throws Exception {
        return KeyFolder.open(folder, PASSPHRASE, access, RANDOM);
    }

    /** The records of a search under the keys of November 2026. */
    static SearchRequest request(KeyFolder read, FileTrapdoorStore store, String word) throws Exception {
        List<List<Keyword>> terms = List.of(List.of(Keyword.text("word", word)));
        return read.keys().request("plant-7", List.of("2026-11"), terms, Expression.allOf(1), store);
    }

    static int[] found(SearchRequest request, Envelope envelope) throws Exception {
        return PreparedSearch.of(request, IndexSchemes.load())
                .match(envelope, IndexAdmission.trust(envelope, IndexSchemes.load()))
                .ordinals()
                .toArray();
    }

    /**
     * One record in an epoch, for readers, without an index: sealed as a sender does, with what is in a bundle or with
     * other keys.
     */
    static Envelope forReaders(
            PublicBundle bundle, List<PolicyKey> policyKeys, String epoch, byte[] record, Label... readers)
            throws Exception {
        Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
        try (EnvelopeSealer sealer =
                new EnvelopeSealer(bundle.tenant(), List.of(), bundle.wrapKey(), policyKeys, null, clock, RANDOM)) {
            EnvelopeDraft draft = new EnvelopeDraft(
                    "plant-7", epoch, NOW, NOW, "text/plain", List.of(record), List.of(), List.of(), 0);
            return Envelope.decode(sealer.seal(draft.forReaders(List.of(readers)), ChainPosition.first())
                    .bytes());
        }
    }

    /** By {@code press-4}, under the next bundle of the folder; the word is record 1. */
    static Envelope of(Path folder, String word, Label... readers) throws Exception {
        byte[] bytes;
        String authority;
        try (KeyFolder change = open(folder, Access.CHANGE)) {
            bytes = change.keys().nextBundle(NOW, Duration.ofDays(1));
            authority = change.keys().authority().fingerprint();
            change.save();
        }
        PublicBundle bundle = PublicBundle.verify(bytes, authority, NOW);
        try (SigningKey identity = SigningKey.generate("press-4", RANDOM);
                EnvelopeSealer sealer =
                        new EnvelopeSealer(bundle, identity, Clock.fixed(NOW, ZoneOffset.UTC), RANDOM)) {
            EnvelopeDraft draft = new EnvelopeDraft(
                    "plant-7",
                    "2026-11",
                    NOW,
                    NOW,
                    "text/plain",
                    List.of("first".getBytes(StandardCharsets.UTF_8), word.getBytes(StandardCharsets.UTF_8)),
                    List.of(Posting.of(Keyword.text("word", "first"), 0), Posting.of(Keyword.text("word", word), 1)),
                    List.of(),
                    0);
            return Envelope.decode(sealer.seal(draft.forReaders(List.of(readers)), ChainPosition.first())
                    .bytes());
        }
    }
}
