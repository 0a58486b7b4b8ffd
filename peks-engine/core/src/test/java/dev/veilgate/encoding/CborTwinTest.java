package dev.veilgate.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import com.upokecenter.cbor.CBOREncodeOptions;
import com.upokecenter.cbor.CBORException;
import com.upokecenter.cbor.CBORObject;
import com.upokecenter.cbor.CBORType;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Our CBOR against a library that knows all of it: both write the same bytes, and we accept exactly what the library decodes and
 * would encode canonically to the same bytes, if it is of the types that we use.
 */
class CborTwinTest {
    private static final TestSeed SEED = TestSeed.of(CborTwinTest.class);
    private static final CBOREncodeOptions CANONICAL = new CBOREncodeOptions("ctap2canonical=true");
    private static final CBOREncodeOptions STRICT = new CBOREncodeOptions("allowduplicatekeys=false");
    private static final int ROUNDS = 4_000;

    /** The same random item in both forms. */
    private record Item(byte[] ours, CBORObject theirs) {}

    private static Item item(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0, 1 -> {
                long value = random.nextLong() >> random.nextInt(64);
                yield new Item(new CborWriter(9).integer(value).toByteArray(), CBORObject.FromObject(value));
            }
            case 2 -> {
                byte[] value = new byte[lengthNearHeads(random)];
                random.nextBytes(value);
                yield new Item(new CborWriter(9).bytes(value).toByteArray(), CBORObject.FromObject(value));
            }
            case 3 -> {
                String value = text(random);
                yield new Item(new CborWriter(9).text(value).toByteArray(), CBORObject.FromObject(value));
            }
            case 4 -> {
                boolean value = random.nextBoolean();
                yield new Item(new CborWriter(9).bool(value).toByteArray(), CBORObject.FromObject(value));
            }
            case 5 -> array(random, depth);
            default -> map(random, depth);
        };
    }

    private static int lengthNearHeads(SplittableRandom random) {
        return random.nextInt(40) == 0
                ? 65_530 + random.nextInt(12)
                : random.nextInt(8) == 0 ? 250 + random.nextInt(12) : random.nextInt(30);
    }

    private static String text(SplittableRandom random) {
        StringBuilder out = new StringBuilder();
        int length = random.nextInt(30);
        for (int i = 0; i < length; i++) {
            out.appendCodePoint(
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(0x80, 0x800);
                        case 1 -> random.nextInt(0xe000, 0x10000);
                        case 2 -> random.nextInt(0x10000, 0x110000);
                        default -> random.nextInt(0x80);
                    });
        }
        return out.toString();
    }

    private static Item array(SplittableRandom random, int depth) {
        int size = random.nextInt(28);
        CborWriter ours = new CborWriter(64).array(size);
        CBORObject theirs = CBORObject.NewArray();
        for (int i = 0; i < size; i++) {
            Item item = item(random, depth - 2);
            ours.encoded(item.ours);
            theirs.Add(item.theirs);
        }
        return new Item(ours.toByteArray(), theirs);
    }

    private static Item map(SplittableRandom random, int depth) {
        TreeMap<byte[], byte[]> sorted = new TreeMap<>(CborWriter::compareKeys);
        CBORObject theirs = CBORObject.NewMap();
        int size = random.nextInt(28);
        for (int i = 0; i < size; i++) {
            boolean named = random.nextBoolean();
            String name = text(random);
            int number = random.nextInt(random.nextBoolean() ? 30 : 100_000);
            Item value = item(random, depth - 2);
            CborWriter key = new CborWriter(9);
            sorted.put((named ? key.text(name) : key.integer(number)).toByteArray(), value.ours);
            theirs.set(named ? CBORObject.FromObject(name) : CBORObject.FromObject(number), value.theirs);
        }
        CborWriter ours = new CborWriter(64).map(sorted.size());
        sorted.forEach((key, value) -> ours.encoded(key).encoded(value));
        return new Item(ours.toByteArray(), theirs);
    }

    @Test
    void bothWriteTheSameBytesAndWeReadThem() throws Exception {
        SplittableRandom random = SEED.random("items");
        for (int i = 0; i < ROUNDS; i++) {
            Item item = item(random, 3);
            assertThat(item.ours).isEqualTo(item.theirs.EncodeToBytes(CANONICAL));
            CborReader in = new CborReader("item", item.ours);
            assertThat(in.rawItem("item")).isEqualTo(item.ours);
            in.end();
        }
    }

    @Test
    void weAcceptExactlyTheCanonicalItemsOfOurTypes() {
        SplittableRandom random = SEED.random("mutations");
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < 10 * ROUNDS; i++) {
            byte[] bytes = mutated(random);
            Boolean expected = expected(bytes);
            if (expected == null) {
                continue;
            }
            assertThat(accepts(bytes)).as("%s", HexFormat.of().formatHex(bytes)).isEqualTo(expected);
            accepted += expected ? 1 : 0;
            refused += expected ? 0 : 1;
        }
        assertThat(accepted).isGreaterThan(ROUNDS);
        assertThat(refused).isGreaterThan(ROUNDS);
    }

    private static byte[] mutated(SplittableRandom random) {
        byte[] bytes = random.nextInt(4) == 0 ? new byte[random.nextInt(1, 12)] : item(random, 2).ours;
        if (random.nextInt(4) == 0) {
            random.nextBytes(bytes);
        }
        int flips = random.nextInt(3);
        for (int i = 0; i < flips; i++) {
            bytes[random.nextInt(Math.min(bytes.length, 24))] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private static boolean accepts(byte[] bytes) {
        try {
            CborReader in = new CborReader("item", bytes);
            in.rawItem("item");
            in.end();
            return true;
        } catch (MalformedEncodingException e) {
            return false;
        }
    }

    /** What the library says; null where it cannot say, since it orders nested keys otherwise or nests less. */
    private static @Nullable Boolean expected(byte[] bytes) {
        CBORObject decoded;
        try {
            decoded = CBORObject.DecodeFromBytes(bytes, STRICT);
        } catch (CBORException e) {
            return false;
        }
        List<CBORObject> all = new ArrayList<>(List.of(decoded));
        for (int i = 0; i < all.size(); i++) {
            CBORObject item = all.get(i);
            if (item.getType() == CBORType.Map) {
                for (CBORObject key : item.getKeys()) {
                    if (key.getType() == CBORType.Array || key.getType() == CBORType.Map) {
                        return null;
                    }
                    all.add(key);
                    all.add(item.get(key));
                }
            } else if (item.getType() == CBORType.Array) {
                all.addAll(item.getValues());
            }
        }
        for (CBORObject item : all) {
            if (!isOurs(item)) {
                return false;
            }
        }
        try {
            return Arrays.equals(decoded.EncodeToBytes(CANONICAL), bytes);
        } catch (CBORException e) {
            return null; // nested too deep for it
        }
    }

    private static boolean isOurs(CBORObject item) {
        return !item.isTagged()
                && switch (item.getType()) {
                    case Integer -> item.AsNumber().CanFitInInt64();
                    case ByteString, TextString, Boolean, Array, Map -> true;
                    default -> false;
                };
    }
}
