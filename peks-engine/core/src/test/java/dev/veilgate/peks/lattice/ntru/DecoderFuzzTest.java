package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.ring.CoefficientPacking;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.random.TestSeed;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gives every decoder what an attacker may send: whatever it is, it is refused with {@link MalformedEncodingException}
 * or it is the one encoding of its value; nothing else is thrown, and no short input makes for a large allocation. Each
 * decoder gets a fixed number of random inputs, about as many as it takes in two seconds of one core, so that a seed
 * gives the same inputs on every machine;
 * {@code -Dveilgate.fuzz.times} gives it so many times that number.
 */
class DecoderFuzzTest {
    private static final TestSeed SEED = TestSeed.of(DecoderFuzzTest.class);
    private static final int TIMES = Integer.getInteger("veilgate.fuzz.times", 1);
    private static final MessageContext CONTEXT = TestKeys.context(0);
    private static final NtruIndexScheme SCHEME = NtruIndexScheme.accepting(NtruParameters.all());

    /** A decoder followed by its encoder. */
    private interface Codec {
        byte[] reencode(byte[] bytes) throws MalformedEncodingException;
    }

    /**
     * @param inputs random ones, about two seconds' worth
     * @param valid  encodings of which inputs are made
     */
    private record Target(String name, int inputs, Codec codec, List<byte[]> valid) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Target> targets() {
        List<byte[]> publicKeys = new ArrayList<>();
        List<byte[]> trapdoors = new ArrayList<>();
        List<byte[]> scoped = new ArrayList<>();
        List<byte[]> ciphertexts = new ArrayList<>();
        List<byte[]> payloads = new ArrayList<>();
        List<byte[]> blocks = new ArrayList<>();
        for (NtruParameters p : NtruParameters.all()) {
            PublicKey key = TestKeys.of(p).publicKey();
            publicKeys.add(key.encode());
            ciphertexts.add(TestKeys.scheme(p)
                    .encrypt(key, TestKeys.DOMAIN, TestKeys.keyword(0))
                    .encode());
            for (int i = 0; i < 2; i++) {
                ScopedTrapdoor trapdoor = TestKeys.scoped(p, TestKeys.keyword(i));
                trapdoors.add(trapdoor.bytes());
                scoped.add(trapdoor.encode());
                IndexBlock block = TestKeys.sealer(p, "DecoderFuzzTest/" + i)
                        .seal(TestKeys.DOMAIN, CONTEXT, i == 0 ? 1 : 200, List.of(postings(i)))
                        .getFirst();
                blocks.add(block.encode());
                payloads.add(block.payload());
            }
        }
        NtruParameters small = NtruParameters.N512_Q24; // of a larger set one decoding takes tens of milliseconds
        List<byte[]> secretKeys = List.of(
                TestKeys.of(small).secretKey().encode(),
                new NtruPeks(small, TestKeys.random("DecoderFuzzTest/key"))
                        .keyGen()
                        .secretKey()
                        .encode());
        return Stream.of(
                new Target("public key", 30_000, b -> PublicKey.decode(b).encode(), publicKeys),
                new Target("secret key", 9_000, b -> SecretKey.decode(b).encode(), secretKeys),
                new Target("trapdoor", 80_000, b -> Trapdoor.decode(b).encode(), trapdoors),
                new Target("ciphertext", 30_000, b -> Ciphertext.decode(b).encode(), ciphertexts),
                new Target("block payload", 9_000, DecoderFuzzTest::admitted, payloads),
                new Target("index block", 150_000, b -> IndexBlock.decode(b).encode(), blocks),
                new Target(
                        "admitted block",
                        30_000,
                        b -> {
                            IndexBlock block = IndexBlock.decode(b);
                            SCHEME.storedForm(block, CONTEXT);
                            return block.encode();
                        },
                        blocks),
                new Target(
                        "scoped trapdoor",
                        210_000,
                        b -> ScopedTrapdoor.decode(b).encode(),
                        scoped),
                new Target(
                        "prepared trapdoor",
                        70_000,
                        b -> SCHEME.prepare(ScopedTrapdoor.decode(b)).trapdoor().encode(),
                        scoped));
    }

    /** In one record, or in so many that they take cells. */
    private static Posting postings(int keyword) {
        return new Posting(
                TestKeys.keyword(keyword),
                RecordSet.of(IntStream.range(0, keyword == 0 ? 1 : 100).toArray()));
    }

    /** Admits a payload, and puts it together again from what was read of it. */
    private static byte[] admitted(byte[] bytes) throws MalformedEncodingException {
        int code = bytes.length > 1 ? bytes[1] : 0;
        NtruParameters p = NtruParameters.all().get(code >= 1 && code <= 3 ? code - 1 : 0);
        SCHEME.storedForm(
                new IndexBlock(
                        NtruIndexScheme.ID,
                        p.id(),
                        TestKeys.of(p).publicKey().id(),
                        TestKeys.DOMAIN.scope(),
                        TestKeys.DOMAIN.epoch(),
                        bytes),
                CONTEXT);
        return PlainBlock.parse(bytes).encode();
    }

    /** @return whether the input was taken */
    private static boolean check(Target target, byte[] input) {
        byte[] given = input.clone();
        try {
            byte[] again = target.codec.reencode(input);
            if (!Arrays.equals(again, given)) {
                throw new AssertionError(target.name + " has a second encoding: " + shown(given));
            }
            return true;
        } catch (MalformedEncodingException refused) {
            if (refused.getMessage().length() > 200) {
                throw new AssertionError("a message that repeats its input", refused);
            }
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(target.name + " throws for " + shown(given), e);
        }
    }

    private static String shown(byte[] input) {
        String start = HexFormat.of().formatHex(input, 0, Math.min(64, input.length));
        return input.length + " bytes, " + start + "...";
    }

    @ParameterizedTest
    @MethodSource("targets")
    void everyWrongLengthIsRefused(Target target) {
        for (byte[] valid : target.valid) {
            assertThat(check(target, valid)).isTrue();
            // of blocks and trapdoors with names any rest is a payload: what is in it is the scheme's to refuse
            boolean anyRest = target.name.equals("index block") || target.name.equals("scoped trapdoor");
            int header = anyRest ? 40 : valid.length;
            for (int length = 0; length < valid.length; length++) {
                if (length > 80 && length < valid.length - 40 && length % 97 != 0) {
                    continue;
                }
                boolean taken = check(target, Arrays.copyOf(valid, length));
                assertThat(taken && length < header).as("%d bytes", length).isFalse();
            }
            for (int more = 1; more <= 40; more++) {
                boolean taken = check(target, Arrays.copyOf(valid, valid.length + more));
                assertThat(taken).isEqualTo(anyRest);
            }
        }
    }

    /** The first bytes say version, parameter set, counts and lengths: all their values. */
    @ParameterizedTest
    @MethodSource("targets")
    void everyValueOfTheFirstBytesIsTakenOrRefused(Target target) {
        for (byte[] valid : target.valid) {
            for (int at = 0; at < Math.min(24, valid.length); at++) {
                boolean slow = target.name.equals("secret key") || target.name.equals("block payload") && at >= 4;
                for (int value = 0; value < 256; value += slow ? 15 : 1) {
                    byte[] changed = valid.clone();
                    changed[at] = (byte) value;
                    boolean taken = check(target, changed);
                    if (at == 0 && changed[0] != valid[0]) {
                        assertThat(taken).isFalse();
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void randomChangesAreTakenOrRefused(Target target) {
        SplittableRandom random = SEED.random("" + target.name);
        long inputs = (long) target.inputs * TIMES;
        long taken = 0;
        for (long i = 0; i < inputs; i++) {
            taken += check(target, mutated(target.valid, random)) ? 1 : 0;
        }
        assertThat(taken).isBetween(1L, inputs - 1);
    }

    private static byte[] mutated(List<byte[]> valid, SplittableRandom random) {
        byte[] base = valid.get(random.nextInt(valid.size())).clone();
        int rounds = 1 + random.nextInt(3);
        for (int round = 0; round < rounds; round++) {
            int at = base.length == 0 ? 0 : random.nextInt(base.length);
            int end = base.length == 0 ? 0 : at + random.nextInt(Math.min(64, base.length - at) + 1);
            byte[] other = valid.get(random.nextInt(valid.size()));
            switch (random.nextInt(9)) {
                case 0 -> flip(base, at, random);
                case 1 -> Arrays.fill(base, at, end, (byte) 0xff);
                case 2 -> Arrays.fill(base, at, end, (byte) 0);
                case 3 -> base = spliced(Arrays.copyOf(base, at), Arrays.copyOfRange(base, end, base.length));
                case 4 -> base = spliced(Arrays.copyOf(base, end), Arrays.copyOfRange(base, at, base.length));
                case 5 ->
                    base = spliced(
                            Arrays.copyOf(base, at),
                            Arrays.copyOfRange(other, Math.min(at, other.length), other.length));
                case 6 ->
                    System.arraycopy(
                            other, 0, base, 0, Math.min(random.nextInt(64), Math.min(base.length, other.length)));
                case 7 -> {
                    byte[] noise = new byte[end - at];
                    random.nextBytes(noise);
                    System.arraycopy(noise, 0, base, at, noise.length);
                }
                default -> flip(base, random.nextInt(Math.max(1, Math.min(40, base.length))), random);
            }
        }
        return base;
    }

    private static void flip(byte[] bytes, int at, SplittableRandom random) {
        if (at < bytes.length) {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private static byte[] spliced(byte[] head, byte[] tail) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head);
        out.writeBytes(tail);
        return out.toByteArray();
    }

    /** Coefficients of q and more, one at a time, wherever they are packed. */
    @ParameterizedTest
    @MethodSource("dev.veilgate.peks.lattice.ntru.NtruParameters#all")
    void coefficientsOfQAndMoreAreRefused(NtruParameters p) {
        int width = p.ring().modulus().bits();
        int[] a = ForgedBlock.honestA(p, "DecoderFuzzTest");
        ForgedBlock block = new ForgedBlock(p, 16, 1, a);
        byte[] payload = block.plain().encode();
        byte[] key = TestKeys.of(p).publicKey().encode();
        Ciphertext ciphertext =
                TestKeys.scheme(p).encrypt(TestKeys.of(p).publicKey(), TestKeys.DOMAIN, TestKeys.keyword(0));
        for (int value : new int[] {p.q(), p.q() + 1, (1 << width) - 1}) {
            for (int at : new int[] {0, 1, p.n() / 2, p.n() - 1}) {
                byte[] badPayload = payload.clone();
                CoefficientPacking.pack(with(a, at, value), width, badPayload, 5);
                assertThatThrownBy(() -> admitted(badPayload))
                        .isInstanceOf(MalformedEncodingException.class)
                        .hasMessageStartingWith("ntru-peks.a");
                byte[] badKey = key.clone();
                CoefficientPacking.pack(with(TestKeys.of(p).publicKey().h(), at, value), width, badKey, 2);
                assertThatThrownBy(() -> PublicKey.decode(badKey))
                        .isInstanceOf(MalformedEncodingException.class)
                        .hasMessageStartingWith("public-key.h");
                for (boolean ofA : new boolean[] {true, false}) {
                    byte[] bad = new Ciphertext(
                                    p,
                                    ofA ? with(ciphertext.a(), at, value) : ciphertext.a(),
                                    ofA ? ciphertext.b() : with(ciphertext.b(), at, value),
                                    ciphertext.tag())
                            .encode();
                    assertThatThrownBy(() -> Ciphertext.decode(bad))
                            .isInstanceOf(MalformedEncodingException.class)
                            .hasMessageStartingWith(ofA ? "ciphertext.a" : "ciphertext.b");
                }
            }
        }
        byte[] notInvertible = key.clone();
        CoefficientPacking.pack(new int[p.n()], width, notInvertible, 2);
        assertThatThrownBy(() -> PublicKey.decode(notInvertible))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessage("public-key.h: must be invertible");
    }

    /** Well-formed but for their number of slots. */
    @ParameterizedTest
    @MethodSource("dev.veilgate.peks.lattice.ntru.NtruParameters#all")
    void otherNumbersOfSlotsAreRefused(NtruParameters p) throws MalformedEncodingException {
        int[] a = ForgedBlock.honestA(p, "DecoderFuzzTest/slots");
        int most = (p.maxKeywords() + 15) / 16 * 16;
        for (int slots = 1; slots <= 256; slots++) {
            byte[] payload = new PlainBlock(p, slots, 1, a).encode();
            if (slots == 1 || slots <= most && slots % 16 == 0) {
                assertThat(admitted(payload)).isEqualTo(payload);
            } else {
                assertThatThrownBy(() -> admitted(payload))
                        .isInstanceOf(MalformedEncodingException.class)
                        .hasMessageStartingWith("ntru-peks.slots");
            }
        }
    }

    private static int[] with(int[] values, int at, int value) {
        int[] out = values.clone();
        out[at] = value;
        return out;
    }

    /** Short inputs that claim much: what they say is compared with what is there before memory is taken. */
    @ParameterizedTest
    @MethodSource("targets")
    void shortInputsAllocateLittle(Target target) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<byte[]> hostile = new ArrayList<>();
        for (int first : new int[] {0, 1, 2, 255}) {
            for (int second : new int[] {0, 1, 2, 3, 4, 9, 255}) {
                for (int third : new int[] {0, 1, 15, 127, 128, 255}) {
                    hostile.add(new byte[] {(byte) first, (byte) second, (byte) third, (byte) 255});
                    byte[] longer = new byte[60];
                    Arrays.fill(longer, (byte) third);
                    longer[0] = (byte) first;
                    longer[1] = (byte) second;
                    hostile.add(longer);
                }
            }
        }
        for (byte[] valid : target.valid) {
            for (int length = 2; length <= 64; length++) {
                hostile.add(Arrays.copyOf(valid, Math.min(length, valid.length)));
            }
        }
        target.valid.forEach(valid -> check(target, valid)); // tables and classes are made once
        hostile.forEach(input -> check(target, input));
        for (byte[] input : hostile) {
            long before = threads.getCurrentThreadAllocatedBytes();
            check(target, input);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated).as(shown(input)).isLessThan(16 * 1024);
        }
        for (byte[] valid : target.valid) {
            byte[] ones = valid.clone();
            Arrays.fill(ones, valid.length / 2, valid.length, (byte) 0xff);
            long before = threads.getCurrentThreadAllocatedBytes();
            check(target, ones);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            // a secret key's equation is checked with big integers
            assertThat(allocated)
                    .isLessThan(64 * 1024 + (target.name.equals("secret key") ? 400L : 40L) * valid.length);
        }
    }
}
