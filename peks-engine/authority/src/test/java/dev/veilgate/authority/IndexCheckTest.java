package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.authority.IndexCheck.Answer;
import dev.veilgate.authority.IndexCheck.NotChecked;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.lattice.ntru.ForgingSealer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An authority tells which keywords of an opened record are missing in its index, and of what it says nothing. */
class IndexCheckTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String SENDER = "press-4";

    private KeyFolder folder;
    private FileTrapdoorStore store;
    private FindingBudget budget;
    private SigningKey identity;

    @BeforeEach
    void openKeys(@TempDir Path temporary) throws Exception {
        folder = SealedWord.open(SealedWord.keys(temporary), Access.CHANGE);
        store = folder.trapdoors();
        budget = folder.findingBudget(Clock.fixed(SealedWord.NOW, ZoneOffset.UTC));
        identity = SigningKey.generate(SENDER, RANDOM);
        folder.keys().putSender(identity.publicKey());
        folder.save();
    }

    @AfterEach
    void closeKeys() throws Exception {
        identity.close();
        store.close();
        folder.close();
    }

    private static Keyword word(String word) {
        return Keyword.text("word", word);
    }

    private static List<Keyword> words(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> word("w" + i)).toList();
    }

    private static EnvelopeDraft draft(String epoch, int records, List<Posting> postings) {
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            contents.add(("record " + i).getBytes(StandardCharsets.UTF_8));
        }
        return new EnvelopeDraft(
                "plant-7", epoch, SealedWord.NOW, SealedWord.NOW, "text/plain", contents, postings, List.of(), 0);
    }

    private PublicBundle bundle() throws Exception {
        byte[] bytes = folder.keys().nextBundle(SealedWord.NOW, Duration.ofDays(1));
        return PublicBundle.verify(bytes, folder.keys().authority().fingerprint(), SealedWord.NOW);
    }

    private Envelope sealed(SigningKey by, Instant when, EnvelopeDraft draft) throws Exception {
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle(), by, Clock.fixed(when, ZoneOffset.UTC), RANDOM)) {
            return Envelope.decode(sealer.seal(draft, ChainPosition.first()).bytes());
        }
    }

    private Envelope sealed(EnvelopeDraft draft) throws Exception {
        return sealed(identity, SealedWord.NOW, draft);
    }

    /** An envelope of one record, by a device that makes its index itself. */
    private Envelope forged(IndexSealer index, Keyword keyword) throws Exception {
        PublicBundle bundle = bundle();
        Clock clock = Clock.fixed(SealedWord.NOW, ZoneOffset.UTC);
        try (EnvelopeSealer sealer = new EnvelopeSealer(
                bundle.tenant(), List.of(index), bundle.wrapKey(), List.of(), identity, clock, RANDOM)) {
            EnvelopeDraft draft = draft("2026-11", 1, List.of(Posting.of(keyword, 0)));
            return Envelope.decode(sealer.seal(draft, ChainPosition.first()).bytes());
        }
    }

    /** Words w0 .. w299 in records 0 and 1 by turns: two blocks. */
    private static List<Posting> postings() {
        return IntStream.range(0, 300)
                .mapToObj(i -> Posting.of(word("w" + i), i % 2))
                .toList();
    }

    private Answer check(Envelope envelope, int record, List<Keyword> keywords) throws Exception {
        return folder.keys().indexCheck(store, budget).check(envelope, "plant-7", record, keywords);
    }

    @Test
    void findsEveryKeywordOfAnHonestRecordAndMakesNoTrapdoor() throws Exception {
        Envelope envelope = sealed(draft("2026-11", 2, postings()));
        assertThat(envelope.index()).hasSize(2);
        for (int record = 0; record < 2; record++) {
            int parity = record;
            List<Keyword> own = IntStream.range(0, 300)
                    .filter(i -> i % 2 == parity)
                    .mapToObj(i -> word("w" + i))
                    .toList();
            assertThat(check(envelope, record, own).isComplete()).isTrue();
        }
        assertThat(KeyFolder.issuedTrapdoors(folder.path())).isZero();
        assertThat(budget.findings()).isEmpty();
    }

    @Test
    void namesWhatIsMissingAndWhatAnotherRecordHas() throws Exception {
        Envelope envelope = sealed(draft("2026-11", 2, postings()));
        Answer answer = check(envelope, 0, List.of(word("w0"), word("left out"), word("w1"), word("w2")));
        assertThat(answer.missing()).containsExactly(word("left out"), word("w1"));
        assertThat(answer.contradicted()).isEmpty();
        assertThat(answer.isFinding()).isTrue();
        assertThat(answer.isComplete()).isFalse();
        assertThat(budget.findings()).containsEntry(SENDER, 2);
        assertThat(answer.toString()).doesNotContain("left out");
    }

    @Test
    void anEnvelopeWithoutAnIndexHasNothing() throws Exception {
        Answer answer = check(sealed(draft("2026-11", 1, List.of())), 0, words(0, 40));
        assertThat(answer.missing()).hasSize(40);
        assertThat(budget.findings()).isEmpty(); // anybody sees that
    }

    @Test
    void agreesWithTrapdoorsThatWereIssued() throws Exception {
        Envelope envelope = sealed(draft("2026-11", 2, postings()));
        SealedWord.request(folder, store, "w0");
        SealedWord.request(folder, store, "left out");
        Answer answer = check(envelope, 0, List.of(word("w0"), word("w2"), word("left out")));
        assertThat(answer.missing()).containsExactly(word("left out"));
        assertThat(answer.contradicted()).isEmpty();
        assertThat(KeyFolder.issuedTrapdoors(folder.path())).isEqualTo(2);
    }

    @Test
    void saysWhereATrapdoorFindsNothingInASlotThatTheKeyFinds() throws Exception {
        ScopedTrapdoor trapdoor =
                SealedWord.request(folder, store, "w0").terms().getFirst().getFirst();
        byte[] key = folder.keys().indexKeys().getFirst().publicKey();
        ForgingSealer hiding = ForgingSealer.hiding(key, trapdoor);
        Answer answer = check(forged(hiding, word("w0")), 0, words(0, 1));
        assertThat(answer.contradicted()).containsExactly(word("w0"));
        assertThat(answer.missing()).isEmpty();
        assertThat(answer.isFinding()).isTrue();
        assertThat(budget.findings()).containsEntry(SENDER, 1);
    }

    @Test
    void saysNothingOfKeywordsInABlockThatIsNotWellFormed() throws Exception {
        ScopedTrapdoor trapdoor =
                SealedWord.request(folder, store, "w0").terms().getFirst().getFirst();
        byte[] key = folder.keys().indexKeys().getFirst().publicKey();
        Envelope envelope = forged(ForgingSealer.ofNoise(key, trapdoor), word("w0"));
        assertThat(SealedWord.found(SealedWord.request(folder, store, "w0"), envelope))
                .containsExactly(0);
        for (int i = 1; i <= 16; i++) {
            Answer answer = check(envelope, 0, words(0, 3));
            assertThat(answer.malformed()).isEqualTo(1);
            assertThat(answer.unchecked()).isEqualTo(3);
            assertThat(answer.missing()).isEmpty();
            assertThat(answer.notChecked()).containsExactly(NotChecked.MALFORMED_BLOCK);
            assertThat(budget.findings()).containsEntry(SENDER, i);
        }
        assertThat(check(envelope, 0, words(0, 3)).notChecked()).containsExactly(NotChecked.TOO_MANY_FINDINGS);
    }

    @Test
    void stopsInTheMiddleWhenTheFindingsAreUsedUp() throws Exception {
        Envelope envelope = sealed(draft("2026-11", 1, List.of(Posting.of(word("there"), 0))));
        List<Keyword> asked = new ArrayList<>(words(0, 20));
        asked.add(word("there"));
        Answer answer = check(envelope, 0, asked);
        assertThat(answer.missing()).isEqualTo(words(0, 16));
        assertThat(answer.unchecked()).isEqualTo(5);
        assertThat(answer.notChecked()).containsExactly(NotChecked.TOO_MANY_FINDINGS);
        Answer later = check(envelope, 0, List.of(word("there")));
        assertThat(later.isFinding()).isFalse();
        assertThat(later.unchecked()).isEqualTo(1);
        budget.allow(SENDER);
        assertThat(check(envelope, 0, List.of(word("there"))).isComplete()).isTrue();
    }

    @Test
    void looksIntoNothingThatNoRegisteredSenderSigned() throws Exception {
        try (SigningKey stranger = SigningKey.generate(SENDER, RANDOM);
                SigningKey unknown = SigningKey.generate("press-5", RANDOM)) {
            for (SigningKey by : List.of(stranger, unknown)) {
                Answer answer = check(sealed(by, SealedWord.NOW, draft("2026-11", 1, postings0())), 0, words(0, 3));
                assertThat(answer.notChecked()).containsExactly(NotChecked.NOT_SIGNED);
                assertThat(answer.unchecked()).isEqualTo(3);
                assertThat(answer.isFinding()).isFalse();
            }
        }
        Envelope envelope = sealed(draft("2026-11", 1, postings0()));
        assertThat(check(envelope, 0, words(0, 1)).isComplete()).isTrue();
        folder.keys().removeSender(SENDER);
        assertThat(check(envelope, 0, words(0, 1)).notChecked()).containsExactly(NotChecked.NOT_SIGNED);
    }

    private static List<Posting> postings0() {
        return List.of(Posting.of(word("w0"), 0));
    }

    @Test
    void blocksOfOtherSchemesAreNotChecked() throws Exception {
        folder.keys().rotateIndexKey(new SearchScheme("bdop04-peks", Optional.empty()), RANDOM, SealedWord.NOW);
        Answer both = check(sealed(draft("2026-11", 1, postings0())), 0, words(0, 2));
        assertThat(both.notChecked()).containsExactly(NotChecked.OTHER_SCHEME);
        assertThat(both.missing()).containsExactly(word("w1"));
        assertThat(both.isComplete()).isFalse();
        PublicBundle.IndexKey other = folder.keys().indexKeys().getFirst();
        IndexSealer only = IndexSchemes.load().byId("bdop04-peks").sealer(other.publicKey(), RANDOM);
        Answer alone = check(forged(only, word("w0")), 0, words(0, 2));
        assertThat(alone.notChecked()).containsExactly(NotChecked.OTHER_SCHEME);
        assertThat(alone.missing()).isEmpty();
        assertThat(alone.unchecked()).isEqualTo(2);
    }

    /** No search asks for them: who seals so would keep its words from all searches and be called not checked. */
    @Test
    void blocksOfAKeyThatTheTenantNeverHadAreNone() throws Exception {
        TenantKeys others = TenantKeys.generate(
                "acme",
                new SearchScheme("bdop04-peks", Optional.empty()),
                EpochPolicy.MONTHLY,
                new byte[0],
                List.of(),
                RANDOM,
                SealedWord.NOW);
        IndexSealer foreign = IndexSchemes.load()
                .byId("bdop04-peks")
                .sealer(others.indexKeys().getFirst().publicKey(), RANDOM);
        Answer answer = check(forged(foreign, word("w0")), 0, words(0, 2));
        assertThat(answer.notChecked()).containsExactly(NotChecked.UNKNOWN_KEY);
        assertThat(answer.missing()).containsExactly(word("w0"), word("w1"));
        assertThat(answer.unchecked()).isZero();
        assertThat(budget.findings()).as("anybody sees that").isEmpty();
    }

    @Test
    void blocksOfAnotherScopeOrEpochDoNotCount() throws Exception {
        Envelope envelope = sealed(draft("2026-11", 1, postings0()));
        IndexCheck check = folder.keys().indexCheck(store, budget);
        assertThat(check.check(envelope, "plant-8", 0, words(0, 1)).missing()).hasSize(1);
        Instant december = Instant.parse("2026-12-01T00:30:00Z");
        Instant later = Instant.parse("2026-12-01T01:30:00Z");
        Envelope atTheTurn = sealed(identity, december, draft("2026-11", 1, postings0()));
        Envelope late = sealed(identity, later, draft("2026-11", 1, postings0()));
        assertThat(check(atTheTurn, 0, words(0, 1)).isComplete()).isTrue();
        assertThat(check(late, 0, words(0, 1)).missing()).hasSize(1);
    }

    @Test
    void aRecordThatIsNotThereIsRefused() throws Exception {
        Envelope envelope = sealed(draft("2026-11", 1, postings0()));
        for (int record : new int[] {-1, 1}) {
            assertThatIllegalArgumentException().isThrownBy(() -> check(envelope, record, words(0, 1)));
        }
    }
}
