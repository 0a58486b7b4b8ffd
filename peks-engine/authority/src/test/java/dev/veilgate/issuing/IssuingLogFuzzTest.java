package dev.veilgate.issuing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the bytes: decoded and encoded again to the same bytes, or refused. */
class IssuingLogFuzzTest {
    private static final TestSeed SEED = TestSeed.of(IssuingLogFuzzTest.class);

    @TempDir
    private Path temporary;

    @FunctionalInterface
    private interface Codec {
        byte[] again(byte[] bytes) throws MalformedEncodingException;
    }

    @Test
    void entriesHeadsAndProofsAreReadOrRefused() throws Exception {
        try (IssuingLog log = LogSamples.open(temporary.resolve("issuing"))) {
            log.append(LogSamples.draft(1).sealed(LogSamples.KEEPER.publicKey(), "keyword", "x"));
            SignedTreeHead older = log.head();
            log.append(LogSamples.drafts(6));
            fuzz(
                    "entry",
                    log.entry(2).orElseThrow().encode(),
                    b -> LogEntry.decode(b).encode());
            fuzz(
                    "sealed entry",
                    log.entry(1).orElseThrow().encode(),
                    b -> LogEntry.decode(b).encode());
            fuzz("sealed details", SealedDetails.encode(new TreeMap<>(Map.of("keyword", "salary"))), b -> {
                SortedMap<String, String> details = SealedDetails.decode(b);
                boolean isOld = b[0] >= 'a' && b[0] <= 'z'; // name=value
                return isOld ? b : SealedDetails.encode(details);
            });
            fuzz("head", log.head().encode(), b -> SignedTreeHead.decode(b).encode());
            fuzz(
                    "inclusion",
                    log.proveInclusion(3, log.head()).encode(),
                    b -> InclusionProof.decode(b).encode());
            fuzz(
                    "consistency",
                    log.proveConsistency(older, log.head()).encode(),
                    b -> ConsistencyProof.decode(b).encode());
            fuzz(
                    "statement",
                    SignedStatement.sign("export", new byte[40], LogSamples.AUTHORITY)
                            .encode(),
                    b -> SignedStatement.decode(b).encode());
            fuzz("header", LogFormat.header(log.authority()), b -> LogFormat.header(LogFormat.readHeader(b)));
        }
    }

    private static void fuzz(String name, byte[] good, Codec codec) throws MalformedEncodingException {
        assertThat(codec.again(good)).isEqualTo(good);
        SplittableRandom random = SEED.random(name);
        int refused = 0;
        for (int round = 0; round < 4000; round++) {
            byte[] bytes = mutated(good, random);
            try {
                assertThat(codec.again(bytes)).as(name).isEqualTo(bytes);
            } catch (MalformedEncodingException e) {
                refused++;
            }
        }
        assertThat(refused).as(name).isGreaterThan(500);
    }

    private static byte[] mutated(byte[] good, SplittableRandom random) {
        byte[] bytes = switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(good, random.nextInt(good.length));
            case 1 -> Arrays.copyOf(good, good.length + 1 + random.nextInt(4));
            default -> good.clone();
        };
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(Math.min(bytes.length, random.nextBoolean() ? 120 : bytes.length))] =
                    (byte) random.nextInt(256);
        }
        return bytes;
    }
}
