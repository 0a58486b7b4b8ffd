package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.CoinStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints everything and makes everything fail, and looks for keywords, trapdoors and keys in what comes out: logs and
 * error reports are read by more people than the search results are.
 */
class SecretHidingTest {
    private static final NtruParameters P = NtruParameters.N512_Q24;
    private static final String SECRET = "zwetschgendatschi";
    private static final Keyword KEYWORD = Keyword.text("patient", SECRET);
    private static final long NUMBER = 4_711_815;

    private static final SecretKey KEY = TestKeys.of(P).secretKey();
    private static final PublicKey PUBLIC = TestKeys.of(P).publicKey();
    private static final ScopedTrapdoor TRAPDOOR = TestKeys.scoped(P, KEYWORD);

    /**
     * Not the keyword, in any spelling; not four bytes in a row of trapdoor or key, in hexadecimal, decimal or Base64.
     */
    private static void assertHides(String text) {
        assertThat(text.toLowerCase(Locale.ROOT)).doesNotContain(SECRET, Long.toString(NUMBER));
        byte[] ascii = SECRET.getBytes(StandardCharsets.US_ASCII);
        byte[] key = KEY.encode();
        byte[] t = TRAPDOOR.bytes();
        assertNoPart(text, ascii, 0);
        assertNoPart(text, Arrays.copyOf(key, 600), 3);
        assertNoPart(text, Arrays.copyOf(t, 600), 2);
        int[] coefficients = TestKeys.trapdoor(P, KEYWORD).t();
        for (int i = 0; i + 1 < coefficients.length; i++) {
            assertThat(text).doesNotContain(coefficients[i] + ", " + coefficients[i + 1]);
        }
    }

    private static void assertNoPart(String text, byte[] secret, int from) {
        for (int i = from; i + 6 <= secret.length; i++) {
            byte[] part = Arrays.copyOfRange(secret, i, i + 6);
            if (Arrays.equals(part, new byte[6]) || Arrays.equals(part, new byte[] {-1, -1, -1, -1, -1, -1})) {
                continue;
            }
            String decimal = Arrays.toString(part);
            assertThat(text)
                    .doesNotContain(
                            HexFormat.of().formatHex(part),
                            HexFormat.of().withUpperCase().formatHex(part),
                            Base64.getEncoder().encodeToString(part),
                            decimal.substring(1, decimal.length() - 1));
        }
    }

    @Test
    void nothingPrintsASecret() throws Exception {
        NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
        NtruIndexSealer sealer = TestKeys.sealer(P, "SecretHidingTest");
        Posting posting = Posting.of(KEYWORD, 0, 3);
        IndexBlock block = sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 5, List.of(posting))
                .getFirst();
        StoredBlock stored = scheme.storedForm(block, TestKeys.context(0));
        PreparedTrapdoor prepared = scheme.prepare(TRAPDOOR);
        NtruPeks peks = TestKeys.scheme(P);
        DyadicIntervals numbers = new DyadicIntervals("patient", 0, 32);
        List<Object> things = new ArrayList<>(List.of(
                KEYWORD,
                posting,
                numbers,
                numbers.keywordsOf(NUMBER),
                numbers.keywordsOfRange(NUMBER, NUMBER),
                TestKeys.DOMAIN,
                TestKeys.context(0),
                RecordSet.of(1, 2),
                block,
                stored,
                TRAPDOOR,
                prepared,
                scheme.match(prepared, stored),
                KEY,
                KEY.basis(),
                KEY.publicKey(),
                PUBLIC.id(),
                TestKeys.of(P),
                TestKeys.trapdoor(P, KEYWORD),
                peks,
                peks.encrypt(PUBLIC, TestKeys.DOMAIN, KEYWORD),
                sealer,
                scheme,
                P,
                P.security(),
                new KeywordHashes(PUBLIC, 4),
                new TestKernel(P),
                IndexSchemes.load()));
        KEY.use((sampler, seed) -> things.add(sampler));
        try (CoinStream coins = CoinStream.fresh(TestKeys.random("SecretHidingTest"))) {
            BlockMask mask = BlockMask.draw(PUBLIC, coins);
            things.add(mask);
            things.add(mask.open());
            things.add(coins);
        }
        things.add(BlockPayload.decode(block.payload()));
        for (Object thing : things) {
            assertHides(thing.toString());
        }
        assertThat(KEYWORD.toString()).isEqualTo("Keyword[hidden]");
        assertThat(posting.toString()).isEqualTo("Posting[keyword=Keyword[hidden], records={0, 3}]");
        assertThat(TestKeys.trapdoor(P, KEYWORD).toString()).isEqualTo("Trapdoor[hidden, N512_Q24]");
    }

    @Test
    void noExceptionRepeatsASecret(@TempDir Path folder) throws Exception {
        NtruPeks peks = TestKeys.scheme(P);
        NtruPeks other = TestKeys.scheme(NtruParameters.N1024_Q27);
        NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
        NtruIndexSealer sealer = TestKeys.sealer(P, "SecretHidingTest");
        byte[] key = KEY.encode();
        byte[] t = TRAPDOOR.bytes();
        SecretKey destroyed = SecretKey.decode(key);
        destroyed.destroy();
        DyadicIntervals small = new DyadicIntervals("patient", 0, 4);
        IndexBlock block = sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 1, List.of(Posting.of(KEYWORD, 0)))
                .getFirst();
        StoredBlock foreign = scheme.storedForm(
                TestKeys.sealer(NtruParameters.N1024_Q27, "SecretHidingTest")
                        .seal(TestKeys.DOMAIN, TestKeys.context(0), 1, List.of(Posting.of(KEYWORD, 0)))
                        .getFirst(),
                TestKeys.context(0));
        PreparedTrapdoor prepared = scheme.prepare(TRAPDOOR);

        List<ThrowingCallable> failures = new ArrayList<>(List.of(
                () -> Keyword.text("patient", SECRET.repeat(400)),
                () -> Keyword.text(SECRET.repeat(20), "x"),
                () -> Keyword.text("patient", SECRET + "\uD800"),
                () -> new KeywordDomain(SECRET.repeat(20), "s", "e"),
                () -> new KeywordDomain("t", SECRET + "\uDC00", "e"),
                () -> small.keywordsOf(NUMBER),
                () -> small.keywordsOfRange(1, NUMBER),
                () -> new DyadicIntervals(SECRET, Long.MAX_VALUE, 4),
                () -> Posting.of(KEYWORD),
                () -> Posting.of(KEYWORD, 256),
                () -> sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 1, List.of(Posting.of(KEYWORD, 9))),
                () -> sealer.seal(TestKeys.DOMAIN, TestKeys.context(0), 0, List.of(Posting.of(KEYWORD, 0))),
                () -> other.trapdoor(KEY, TestKeys.DOMAIN, KEYWORD, new InMemoryTrapdoorStore()),
                () -> other.encrypt(PUBLIC, TestKeys.DOMAIN, KEYWORD),
                () -> other.test(TestKeys.trapdoor(P, KEYWORD), peks.encrypt(PUBLIC, TestKeys.DOMAIN, KEYWORD)),
                () -> peks.trapdoor(destroyed, TestKeys.DOMAIN, KEYWORD, new InMemoryTrapdoorStore()),
                destroyed::encode,
                () -> scheme.match(prepared, foreign),
                () -> scheme.match(() -> TRAPDOOR, foreign),
                () -> scheme.match(prepared, new StoredBlock(foreign.hot(), foreign.cold())),
                () -> scheme.verifier(TestKeys.of(P).publicKey().encode()).verify(List.of(block), TestKeys.context(1)),
                () -> scheme.sealer(t, TestKeys.random("x")),
                () -> scheme.sealer(key, TestKeys.random("x")),
                () -> IndexSchemes.load().byId(SECRET),
                () -> NtruParameters.byId(SECRET),
                () -> IndexBlock.decode(t),
                () -> IndexBlock.decode(key),
                () -> new ScopedTrapdoor(SECRET.repeat(20), "", PUBLIC.id(), "", "", t),
                () -> scheme.prepare(new ScopedTrapdoor("x", P.id(), PUBLIC.id(), "", "", t))));
        for (byte[] secret : new byte[][] {key, t, TRAPDOOR.encode()}) {
            for (byte[] wrong : new byte[][] {
                Arrays.copyOf(secret, secret.length - 1),
                Arrays.copyOf(secret, secret.length + 1),
                changed(secret, 0),
                changed(secret, 1),
                changed(secret, 2),
                changed(secret, secret.length - 1),
                changed(secret, 40),
            }) {
                failures.add(() -> SecretKey.decode(wrong));
                failures.add(() -> Trapdoor.decode(wrong));
                failures.add(() -> ScopedTrapdoor.decode(wrong));
                failures.add(() -> PublicKey.decode(wrong));
                failures.add(() -> Ciphertext.decode(wrong));
                failures.add(() ->
                        scheme.prepare(new ScopedTrapdoor(NtruIndexScheme.ID, P.id(), PUBLIC.id(), "", "", wrong)));
            }
        }
        failures.addAll(storeFailures(folder, peks, t));

        int thrown = 0;
        for (ThrowingCallable failure : failures) {
            Throwable e = catchThrowable(failure);
            if (e == null) {
                continue; // a change that is still an encoding of something
            }
            thrown++;
            StringWriter printed = new StringWriter();
            e.printStackTrace(new PrintWriter(printed)); // with causes and what was suppressed
            assertHides(printed.toString());
        }
        assertThat(thrown).isGreaterThan(failures.size() - 25);
    }

    private static byte[] changed(byte[] bytes, int at) {
        byte[] out = bytes.clone();
        out[at] ^= 0x55;
        return out;
    }

    /** A damaged file of a trapdoor, and a store that holds something else. */
    private static List<ThrowingCallable> storeFailures(Path folder, NtruPeks peks, byte[] t) throws IOException {
        Path damaged = folder.resolve("damaged");
        try (FileTrapdoorStore store = FileTrapdoorStore.open(damaged)) {
            peks.trapdoor(KEY, TestKeys.DOMAIN, KEYWORD, store);
        }
        try (Stream<Path> files = Files.walk(damaged)) {
            for (Path file :
                    files.filter(f -> f.getFileName().toString().length() == 62).toList()) {
                Files.write(file, t);
            }
        }
        return List.of(
                () -> {
                    try (FileTrapdoorStore store = FileTrapdoorStore.open(damaged)) {
                        peks.trapdoor(KEY, TestKeys.DOMAIN, KEYWORD, store);
                    }
                },
                () -> {
                    InMemoryTrapdoorStore store = new InMemoryTrapdoorStore() {
                        @Override
                        public synchronized byte[] storeIfAbsent(byte[] name, byte[] trapdoor) {
                            return Arrays.copyOf(t, t.length - 1);
                        }
                    };
                    peks.trapdoor(KEY, TestKeys.DOMAIN, KEYWORD, store);
                });
    }
}
