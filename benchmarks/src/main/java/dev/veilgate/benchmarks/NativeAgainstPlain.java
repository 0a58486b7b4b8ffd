package dev.veilgate.benchmarks;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.benchmarks.AttributeWork.Operation;
import dev.veilgate.benchmarks.Sample.Budget;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * BSW07 over native code (blst) and over plain Java ({@link PlainBsw07}), by turns in one process: Figure 4 of the
 * smartphone study.
 */
final class NativeAgainstPlain {
    /** An operation, both ways. */
    record Point(Operation operation, int attributes, Sample ofNative, Sample ofPlain) {
        /** Native calls in the time of one in plain Java. */
        double ratio() {
            return ofPlain.medianNanos() / ofNative.medianNanos();
        }
    }

    /**
     * An operation as the study prints it, on a Galaxy Nexus, at 128 bits.
     *
     * @param nativeSeconds in C
     * @param plainSeconds  by the study's own Java
     */
    record Printed(Operation operation, double nativeSeconds, double plainSeconds) {
        double ratio() {
            return plainSeconds / nativeSeconds;
        }
    }

    /** Attributes of what the study prints. */
    static final int PRINTED_ATTRIBUTES = 25;

    static final List<Printed> PRINTED = List.of(
            new Printed(Operation.KEY_GEN, 25, 360),
            new Printed(Operation.ENCRYPT, 26, 340),
            new Printed(Operation.DECRYPT, 19, 172));

    private static final String SCHEME = "cp-bsw07";
    private static final SecureRandom RANDOM = new SecureRandom();

    private NativeAgainstPlain() {}

    static List<Point> measure(List<AttributeWork<?, ?, ?, ?>> schemes, List<Integer> attributes, Budget budget)
            throws Exception {
        AttributeWork<?, ?, ?, ?> ours = AttributeWork.byId(schemes, SCHEME);
        for (Callable<?> operation : plain(5).values()) { // the compiler's turn; the other has had its own
            Sample.of(operation, budget);
        }
        List<Point> points = new ArrayList<>();
        for (int n : attributes) {
            for (Map.Entry<Operation, Callable<?>> plain : plain(n).entrySet()) {
                Sample ofNative = Sample.of(ours.alone(plain.getKey(), n), budget);
                points.add(new Point(plain.getKey(), n, ofNative, Sample.of(plain.getValue(), budget)));
            }
        }
        return points;
    }

    /** @throws IllegalStateException if it does not decrypt */
    private static Map<Operation, Callable<?>> plain(int n) {
        List<Attribute> all =
                IntStream.range(0, n).mapToObj(AttributeWork::attribute).toList();
        try (CoinStream coins = CoinStream.fresh(RANDOM)) {
            PlainBsw07.Authority authority = PlainBsw07.setup(coins);
            PlainBsw07.SecretKey key = PlainBsw07.keyGen(authority.masterKey(), all, coins);
            PlainBsw07.Encapsulated encapsulated = PlainBsw07.encapsulate(authority.publicKey(), all, coins);
            PlainBsw07.Ciphertext ciphertext = encapsulated.ciphertext();
            if (!PlainBsw07.decapsulate(key, ciphertext).orElseThrow().equals(encapsulated.key())) {
                throw new IllegalStateException("plain Java does not decrypt with " + n + " attributes");
            }
            Map<Operation, Callable<?>> operations = new EnumMap<>(Operation.class);
            operations.put(Operation.KEY_GEN, () -> {
                try (CoinStream own = CoinStream.fresh(RANDOM)) {
                    return PlainBsw07.keyGen(authority.masterKey(), all, own);
                }
            });
            operations.put(Operation.ENCRYPT, () -> {
                try (CoinStream own = CoinStream.fresh(RANDOM)) {
                    return PlainBsw07.encapsulate(authority.publicKey(), all, own);
                }
            });
            operations.put(Operation.DECRYPT, () -> PlainBsw07.decapsulate(key, ciphertext));
            return operations;
        }
    }

    static List<String> csv(List<Point> points) {
        List<String> rows = new ArrayList<>();
        rows.add("by,operation,attributes,native_ms,plain_java_ms,ratio");
        for (Point point : points) {
            rows.add(String.format(
                    Locale.ROOT,
                    "veilgate,%s,%d,%.5f,%.5f,%.2f",
                    point.operation.label(),
                    point.attributes,
                    point.ofNative.millis(),
                    point.ofPlain.millis(),
                    point.ratio()));
        }
        for (Printed printed : PRINTED) {
            rows.add(String.format(
                    Locale.ROOT,
                    "andraben-paper,%s,%d,%.0f,%.0f,%.2f",
                    printed.operation.label(),
                    PRINTED_ATTRIBUTES,
                    printed.nativeSeconds * 1e3,
                    printed.plainSeconds * 1e3,
                    printed.ratio()));
        }
        return rows;
    }
}
