package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.ChainVerifier.Finding;
import dev.veilgate.envelope.ChainVerifier.Problem;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainVerifierTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final EnvelopeSealer SEALER = Samples.sealerWithoutIndex(Samples.SENDER, RANDOM);
    private static final List<byte[]> CHAIN = chain(ChainPosition.first(), 12);

    /** {@code count} heartbeats from a position on. */
    static List<byte[]> chain(ChainPosition position, int count) {
        List<byte[]> chain = new ArrayList<>();
        ChainPosition at = position;
        for (int i = 0; i < count; i++) {
            SealedEnvelope sealed = SEALER.seal(Samples.heartbeat(60), at);
            chain.add(sealed.bytes());
            at = sealed.next();
        }
        return chain;
    }

    private static ChainVerifier verifier(int window) {
        return new ChainVerifier(List.of(Samples.SENDER.publicKey()), window);
    }

    private static List<Finding> findings(List<byte[]> offered) {
        return findings(verifier(0), offered);
    }

    private static List<Finding> findings(ChainVerifier verifier, List<byte[]> offered) {
        for (int i = 0; i < offered.size(); i++) {
            verifier.add("file-" + i, offered.get(i));
        }
        return verifier.findings(Samples.NOW);
    }

    private static List<String> brief(List<Finding> findings) {
        return findings.stream()
                .map(f -> f.problem() + " " + f.sender() + " " + f.firstSequence() + "-" + f.lastSequence())
                .toList();
    }

    private static List<byte[]> numbers(int... sequences) {
        List<byte[]> some = new ArrayList<>();
        for (int sequence : sequences) {
            some.add(CHAIN.get(sequence - 1));
        }
        return some;
    }

    private static byte[] altered(byte[] envelope) {
        byte[] copy = envelope.clone();
        copy[copy.length - 1] ^= 1;
        return copy;
    }

    @Test
    void aWholeChainHasNoFinding() {
        ChainVerifier verifier = verifier(0);
        assertThat(findings(verifier, CHAIN)).isEmpty();
        assertThat(verifier.accepted()).isEqualTo(12);
    }

    @Test
    void namesRangesThatAreMissing() {
        assertThat(brief(findings(numbers(3, 4, 8, 9)))).containsExactly("MISSING press-4 1-2", "MISSING press-4 5-7");
    }

    @Test
    void namesWhatIsRepeatedAndReordered() {
        assertThat(brief(findings(numbers(1, 2, 2, 4, 5, 3, 6, 4))))
                .containsExactly("REPEATED press-4 2-2", "REORDERED press-4 3-3", "REPEATED press-4 4-4");
    }

    @Test
    void aWindowExcusesSmallReorderingAndDeclaresGapsOnlyAfterIt() {
        assertThat(brief(findings(verifier(2), numbers(2, 1, 4, 5, 3)))).isEmpty();
        assertThat(brief(findings(verifier(2), numbers(1, 3, 4)))).isEmpty();
        assertThat(brief(findings(verifier(2), numbers(1, 3, 4, 5)))).containsExactly("MISSING press-4 2-2");
        assertThat(brief(findings(verifier(2), numbers(1, 3, 4, 5, 2)))).containsExactly("REORDERED press-4 2-2");
    }

    @Test
    void namesWhatWasAlteredInItsPlaceAndAtTheTail() {
        List<byte[]> offered = new ArrayList<>(numbers(1, 2, 3, 4, 5));
        offered.set(2, altered(offered.get(2)));
        offered.set(4, altered(offered.get(4)));
        assertThat(brief(findings(offered))).containsExactly("ALTERED press-4 3-3", "ALTERED press-4 5-5");
    }

    @Test
    void aForgeryBesideTheRealOneIsABadSignatureWhicheverCameFirst() {
        byte[] forged = altered(CHAIN.get(1));
        assertThat(brief(findings(List.of(CHAIN.get(0), CHAIN.get(1), forged))))
                .containsExactly("BAD_SIGNATURE press-4 2-2");
        assertThat(brief(findings(List.of(CHAIN.get(0), forged, CHAIN.get(1)))))
                .containsExactly("BAD_SIGNATURE press-4 2-2");
    }

    @Test
    void twoSignedEnvelopesOfOneNumberAreAFork() throws Exception {
        ChainPosition third = new ChainPosition(3, Envelope.decode(CHAIN.get(1)).digest());
        List<byte[]> clone = chain(third, 2);
        List<byte[]> both = new ArrayList<>(numbers(1, 2, 3, 4));
        both.addAll(clone);
        assertThat(brief(findings(both))).containsExactly("FORKED press-4 3-3", "FORKED press-4 4-4");
        // one half of each branch: nothing has one number twice, but the link says it
        assertThat(brief(findings(List.of(CHAIN.get(0), CHAIN.get(1), CHAIN.get(2), clone.get(1)))))
                .containsExactly("FORKED press-4 3-3");
        assertThat(brief(findings(List.of(CHAIN.get(0), CHAIN.get(1), clone.get(1), CHAIN.get(2)))))
                .containsExactly("REORDERED press-4 3-3", "FORKED press-4 3-3");
    }

    @Test
    void aPromiseThatIsNotKeptIsASilentTail() {
        ChainVerifier verifier = verifier(0);
        CHAIN.forEach(envelope -> verifier.add("x", envelope));
        Instant promised = Samples.NOW.plusSeconds(60);
        assertThat(verifier.findings(promised)).isEmpty();
        assertThat(brief(verifier.findings(promised.plusMillis(1)))).containsExactly("SILENT_TAIL press-4 13-13");
        assertThat(brief(verifier.findings(promised.plusMillis(1)))).hasSize(1);
    }

    @Test
    void lossReportsAreRepeatedToTheReader() {
        LossReport lost = new LossReport("spool-full", 12, 3456, Samples.NOW.minusSeconds(9), Samples.NOW);
        byte[] envelope = SEALER.seal(Samples.loss(lost), ChainPosition.first()).bytes();
        assertThat(findings(List.of(envelope)))
                .singleElement()
                .satisfies(f -> assertThat(f.problem()).isEqualTo(Problem.LOSS_REPORTED))
                .satisfies(f -> assertThat(f.detail()).contains("file-0", "spool-full", "12 records"));
    }

    @Test
    void namesUnknownSendersUnsignedOnesAndGarbage() {
        SigningKey stranger = SigningKey.generate("stranger", RANDOM);
        byte[] strange = Samples.sealerWithoutIndex(stranger, RANDOM)
                .seal(Samples.heartbeat(0), ChainPosition.first())
                .bytes();
        byte[] unsigned = Samples.sealerWithoutIndex(null, RANDOM)
                .seal(Samples.draft(1), ChainPosition.first())
                .bytes();
        assertThat(brief(findings(List.of(strange, unsigned, new byte[] {1, 2, 3}))))
                .containsExactly("UNKNOWN_SENDER stranger 1-1", "UNKNOWN_SENDER  0-0", "MALFORMED  0-0");
    }

    @Test
    void aNamesakeWithAnotherKeyIsNotTheSender() {
        SigningKey namesake = SigningKey.generate("press-4", RANDOM);
        byte[] envelope = Samples.sealerWithoutIndex(namesake, RANDOM)
                .seal(Samples.heartbeat(0), ChainPosition.first())
                .bytes();
        assertThat(brief(findings(List.of(envelope)))).containsExactly("ALTERED press-4 1-1");
    }

    @Test
    void aSenderMayHaveHadSeveralKeys() throws Exception {
        SigningKey later = SigningKey.generate("press-4", RANDOM);
        ChainPosition third = new ChainPosition(3, Envelope.decode(CHAIN.get(1)).digest());
        byte[] next = Samples.sealerWithoutIndex(later, RANDOM)
                .seal(Samples.heartbeat(0), third)
                .bytes();
        ChainVerifier verifier = new ChainVerifier(List.of(Samples.SENDER.publicKey(), later.publicKey()));
        assertThat(findings(verifier, List.of(CHAIN.get(0), CHAIN.get(1), next)))
                .isEmpty();
    }

    @Test
    void floodsOfForgeriesAreCountedNotKept() {
        ChainVerifier verifier = verifier(0);
        for (int i = 0; i < ChainVerifier.MAX_FINDINGS + 5; i++) {
            verifier.add("x", new byte[] {0});
        }
        List<Finding> findings = verifier.findings(Samples.NOW);
        assertThat(findings).hasSize(ChainVerifier.MAX_FINDINGS + 1);
        assertThat(findings.getLast().problem()).isEqualTo(Problem.OMITTED);
        assertThat(findings.getLast().detail()).startsWith("5 more");
    }

    /** Anybody can make garbage; by it nobody hides what only the sender's key can show. */
    @Test
    void aFloodOfGarbageHidesNoFork() {
        ChainVerifier verifier = verifier(0);
        for (int i = 0; i < ChainVerifier.MAX_FINDINGS + 5; i++) {
            verifier.add("x", new byte[] {0});
        }
        verifier.add("a", CHAIN.getFirst());
        verifier.add("b", chain(ChainPosition.first(), 1).getFirst());
        assertThat(brief(verifier.findings(Samples.NOW))).contains("FORKED press-4 1-1");
    }

    @Test
    void aHugeSequenceNumberCostsNoMemory() throws Exception {
        byte[] far = SEALER.seal(Samples.heartbeat(0), new ChainPosition(Long.MAX_VALUE - 1, new byte[32]))
                .bytes();
        assertThat(brief(findings(List.of(CHAIN.get(0), far))))
                .containsExactly("MISSING press-4 2-" + (Long.MAX_VALUE - 2));
    }
}
