package dev.veilgate.issuing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.issuing.LogVerifier.Finding;
import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.SignatureSecretKey;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heads of an authority whose key has a third scheme. */
class LastingHeadTest {
    private static final SigningKey AUTHORITY = SigningKey.generateAuthority("acme", LogSamples.RANDOM);
    private static final String PINNED = AUTHORITY.publicKey().fingerprint();
    private static final int TWO = SenderPublicKey.SIGNATURE_BYTES;
    private static final String CONTEXT = "veilgate/tree-head/1";

    @TempDir
    private Path folder;

    private IssuingLog open() throws Exception {
        return IssuingLog.open(folder, AUTHORITY, LogSamples.SELDOM, new LogSamples.SetClock(), LogSamples.RANDOM);
    }

    private static List<Finding> findings(byte[] log) throws Exception {
        LogVerifier verifier = new LogVerifier(PINNED);
        verifier.read(new ByteArrayInputStream(log));
        return verifier.findings();
    }

    private static TreeHead head(int root) {
        byte[] digest = new byte[32];
        Arrays.fill(digest, (byte) root);
        return new TreeHead("acme", 24, digest, LogSamples.NOW);
    }

    private static byte[] document(SenderPublicKey authority, int version, TreeHead head, byte[] signature) {
        return new CborWriter(30_000)
                .array(5)
                .text("veilgate-tree-head")
                .integer(version)
                .bytes(authority.encode())
                .bytes(head.encode())
                .bytes(signature)
                .toByteArray();
    }

    @Test
    void logProofsAndHeadsHold() throws Exception {
        SignedTreeHead older;
        try (IssuingLog log = open()) {
            log.append(LogSamples.drafts(3));
            older = log.head();
        }
        try (IssuingLog log = open()) {
            log.append(LogSamples.drafts(2));
            SignedTreeHead head = log.head();
            assertThat(head.isSignedBy(PINNED)).isTrue();
            byte[] encoded = head.encode();
            assertThat(encoded.length).isGreaterThan(22_000).isLessThan(SignedTreeHead.MAX_BYTES);
            assertThat(SignedTreeHead.decode(encoded)).isEqualTo(head);
            assertThat(InclusionProof.decode(log.proveInclusion(4, head).encode())
                            .holds(PINNED))
                    .isTrue();
            assertThat(ConsistencyProof.decode(log.proveConsistency(older, head).encode())
                            .holds(PINNED))
                    .isTrue();
            assertThat(findings(LogSamples.export(log))).isEmpty();
        }
    }

    /** Both secret keys that lattices and curves hide are known, and an SLH-DSA key of one's own is no help. */
    @Test
    void whoBreaksLatticesAndCurvesMakesNoHead() throws Exception {
        TreeHead mine = head(9);
        byte[] genuine = AUTHORITY.signLasting(CONTEXT, head(7).encode());
        byte[] two = both(mine.encode());
        List<byte[]> thirds = List.of(
                new byte[17_088],
                Arrays.copyOfRange(genuine, TWO, genuine.length),
                PostQuantum.current().slhDsaSha2128f().key(new byte[48]).sign(input(mine.encode()), LogSamples.RANDOM),
                Arrays.copyOfRange(AUTHORITY.signLasting("veilgate/bundle/1", mine.encode()), TWO, genuine.length));
        for (byte[] third : thirds) {
            byte[] forged = document(AUTHORITY.publicKey(), 2, mine, concat(two, third));
            assertThat(SignedTreeHead.decode(forged).isSignedBy(PINNED)).isFalse();
        }
        assertThatThrownBy(() -> SignedTreeHead.decode(document(AUTHORITY.publicKey(), 2, mine, two)))
                .as("the third is left out")
                .isInstanceOf(MalformedEncodingException.class);
        SigningKey old = ofVersionOne();
        assertThat(SignedTreeHead.sign(mine, old).isSignedBy(old.publicKey().fingerprint()))
                .isTrue();
        assertThat(SignedTreeHead.sign(mine, old).isSignedBy(PINNED))
                .as("the same two keys, as if there were no third")
                .isFalse();
        byte[] third = Arrays.copyOfRange(AUTHORITY.signLasting(CONTEXT, mine.encode()), TWO, genuine.length);
        assertThat(SignedTreeHead.decode(document(AUTHORITY.publicKey(), 2, mine, concat(two, third)))
                        .isSignedBy(PINNED))
                .as("his two signatures are good; what he lacks is the third")
                .isTrue();
    }

    @Test
    void aLogWithAForgedHeadIsSeen() throws Exception {
        byte[] log;
        int headBytes;
        try (IssuingLog opened = open()) {
            opened.append(LogSamples.drafts(3));
            headBytes = opened.head().encode().length;
            log = LogSamples.export(opened);
        }
        assertThat(findings(log)).isEmpty();
        log[log.length - 1] ^= 1; // of the SLH-DSA signature of the last head, which ends the log
        assertThat(headBytes).isLessThan(log.length);
        assertThat(findings(log)).extracting(Finding::problem).contains(LogProblem.BAD_HEAD);
    }

    @Test
    void aLogIsOfOneVersionOfTheKey() throws Exception {
        try (IssuingLog log = open()) {
            log.append(LogSamples.drafts(1));
        }
        assertThatThrownBy(() -> IssuingLog.open(
                        folder, ofVersionOne(), LogSamples.SELDOM, new LogSamples.SetClock(), LogSamples.RANDOM))
                .isInstanceOfSatisfying(
                        IssuingLogException.class, e -> assertThat(e.problem()).isEqualTo(LogProblem.FOREIGN));
    }

    @Test
    void theVersionOfAHeadIsThatOfItsKey() {
        byte[] signature = AUTHORITY.signLasting(CONTEXT, head(1).encode());
        for (int version : new int[] {1, 3}) {
            assertThatThrownBy(
                            () -> SignedTreeHead.decode(document(AUTHORITY.publicKey(), version, head(1), signature)))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining(version == 1 ? "authority" : "update the software");
        }
    }

    /** An export's manifest is signed by two; it is in the log, whose heads have three. */
    @Test
    void statementsHaveTwoSignaturesAndTheVersionOfTheKey() throws Exception {
        SignedStatement statement = SignedStatement.sign("export", new byte[] {1, 2}, AUTHORITY);
        byte[] encoded = statement.encode();
        assertThat(SignedStatement.decode(encoded)).isEqualTo(statement);
        assertThat(SignedStatement.decode(encoded).isSignedBy(PINNED)).isTrue();
        assertThat(encoded.length).isLessThan(6000);
        encoded[1 + 1 + "veilgate-statement".length()] = 1;
        assertThatThrownBy(() -> SignedStatement.decode(encoded))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("version, 1");
    }

    private static SigningKey ofVersionOne() throws MalformedEncodingException {
        byte[] secret = AUTHORITY.encode();
        return SigningKey.decode(new ByteWriter(100)
                .uint8(1)
                .shortString("acme")
                .bytes(Arrays.copyOfRange(secret, 6, 70))
                .toByteArray());
    }

    /** The Ed25519 and ML-DSA-65 signatures of a head, made with both secret keys. */
    private static byte[] both(byte[] message) throws Exception {
        byte[] secret = AUTHORITY.encode();
        byte[] input = input(message);
        byte[] signature = new byte[64];
        Ed25519.sign(secret, 6, input, 0, input.length, signature, 0);
        try (SignatureSecretKey mlDsa = PostQuantum.current().mlDsa65().key(Arrays.copyOfRange(secret, 38, 70))) {
            return concat(signature, mlDsa.sign(input, LogSamples.RANDOM));
        }
    }

    /** Input of a lasting signature, as docs/wire-format.md has it. */
    private static byte[] input(byte[] message) throws Exception {
        return new ByteWriter(160)
                .shortString("veilgate/signature/2")
                .shortString(CONTEXT)
                .bytes(HexFormat.of().parseHex(PINNED))
                .bytes(MessageDigest.getInstance("SHA-512").digest(message))
                .toByteArray();
    }

    private static byte[] concat(byte[] head, byte[] tail) {
        byte[] out = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, out, head.length, tail.length);
        return out;
    }
}
