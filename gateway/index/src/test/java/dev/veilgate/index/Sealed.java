package dev.veilgate.index;

import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.KeyPair;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruPeks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** A tenant's keys, random envelopes of few words under them, and trapdoors of these words. */
final class Sealed implements AutoCloseable {
    static final String TENANT = "acme";
    static final String OTHER_TENANT = "globex";
    static final List<String> SCOPES = List.of("plant-7", "plant-8");
    static final List<String> EPOCHS = List.of("2026-10", "2026-11");
    static final List<String> SENDERS = List.of("", "press-4", "press-5");
    static final List<String> WORDS = List.of("urgent", "overheat", "valve", "pump", "never-sealed");
    static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

    private final SecureRandom coins = new SecureRandom();
    private final NtruPeks peks = NtruPeks.withDefaults();
    private final KeyPair keys = peks.keyGen();
    private final NtruIndexSealer index = new NtruIndexSealer(keys.publicKey(), coins);
    private final KemSecretKey wrap = KemSecretKey.generate(coins);
    private final Map<String, SigningKey> identities = new HashMap<>();
    private final MemoryStore trapdoors = new MemoryStore();
    private final SplittableRandom random;

    Sealed(SplittableRandom random) {
        this.random = random;
    }

    /** With 1 to 40 records, or as many words beside those that it has more than one block. */
    Envelope envelope(String tenant) throws Exception {
        String sender = SENDERS.get(random.nextInt(SENDERS.size()));
        SigningKey identity =
                sender.isEmpty() ? null : identities.computeIfAbsent(sender, name -> SigningKey.generate(name, coins));
        int records = 1 + random.nextInt(40);
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            lines.add(("line " + i).getBytes(StandardCharsets.US_ASCII));
        }
        Instant first = START.plusSeconds(random.nextInt(1000));
        EnvelopeDraft draft = new EnvelopeDraft(
                SCOPES.get(random.nextInt(SCOPES.size())),
                EPOCHS.get(random.nextInt(EPOCHS.size())),
                first,
                first.plusSeconds(random.nextInt(100)),
                "text/plain",
                lines,
                postings(records),
                List.of(),
                0);
        EnvelopeSealer sealer =
                new EnvelopeSealer(tenant, List.of(index), wrap.publicKey(), identity, Clock.systemUTC(), coins);
        SealedEnvelope sealed = sealer.seal(draft, ChainPosition.first());
        return Envelope.decode(sealed.bytes());
    }

    private List<Posting> postings(int records) {
        List<Posting> postings = new ArrayList<>();
        int fillers = random.nextInt(4) == 0 ? 300 + random.nextInt(300) : random.nextInt(20);
        for (int i = 0; i < fillers; i++) {
            postings.add(Posting.of(Keyword.text("word", "filler-" + i), random.nextInt(records)));
        }
        for (String word : WORDS.subList(0, WORDS.size() - 1)) {
            BitSet in = new BitSet();
            for (int i = 0; i < records; i++) {
                in.set(i, random.nextInt(3) == 0);
            }
            if (!in.isEmpty() && random.nextBoolean()) {
                postings.add(random.nextInt(postings.size() + 1), posting(word, in));
            }
        }
        return postings;
    }

    private static Posting posting(String word, BitSet records) {
        return new Posting(
                Keyword.text("word", word), RecordSet.of(records.stream().toArray()));
    }

    ScopedTrapdoor trapdoor(String tenant, String scope, String epoch, String word) throws IOException {
        KeywordDomain domain = new KeywordDomain(tenant, scope, epoch);
        return peks.trapdoor(keys.secretKey(), domain, Keyword.text("word", word), trapdoors);
    }

    /** A trapdoor is drawn once. */
    private static final class MemoryStore implements TrapdoorStore {
        private final Map<String, byte[]> byName = new HashMap<>();

        @Override
        public Optional<byte[]> find(byte[] name) {
            return Optional.ofNullable(byName.get(HexFormat.of().formatHex(name)));
        }

        @Override
        public byte[] storeIfAbsent(byte[] name, byte[] trapdoor) {
            return byName.computeIfAbsent(HexFormat.of().formatHex(name), n -> trapdoor);
        }
    }

    @Override
    public void close() {
        index.close();
        wrap.close();
    }
}
