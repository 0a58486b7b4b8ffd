package dev.veilgate.peks.lattice.ntru;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.random.CoinStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Freezes what keys, trapdoors, blocks and ciphertexts look like: devices in the field, stored trapdoors and archives
 * of ten years must still be read by the software of then. A digest that changes is a new format, which takes a new
 * version number.
 */
class WireFormatTest {
    static final KeywordDomain DOMAIN = new KeywordDomain("acme", "plant-7", "2026-11");
    static final MessageContext CONTEXT =
            new MessageContext("device-17", UUID.fromString("8d0c6bd5-6f3d-4b0b-9b43-0a6b7f3c1d2e"), new byte[32]);
    static final Keyword FOUND = Keyword.text("level", "error");
    private static final NtruParameters SMALL = NtruParameters.N512_Q24;

    private static SecureRandom frozen(String label) {
        return new ReplayableRandom(CoinStream.ofSeed(digest(label.getBytes(StandardCharsets.US_ASCII))));
    }

    /** Everything of one parameter set, from coins that never change. */
    static Map<String, byte[]> artefacts(NtruParameters p) throws IOException {
        KeyPair pair = new NtruPeks(p, frozen("wire/keys/" + p)).keyGen();
        NtruPeks scheme = new NtruPeks(p, frozen("wire/ciphertext/" + p));
        List<Posting> postings = new ArrayList<>(List.of(Posting.of(FOUND, 1, 4)));
        for (int i = 0; i < 6; i++) {
            postings.add(Posting.of(Keyword.text("word", "w" + i), i % 5));
        }
        IndexBlock block = new NtruIndexSealer(pair.publicKey(), frozen("wire/block/" + p))
                .seal(DOMAIN, CONTEXT, 5, postings)
                .getFirst();
        IndexBlock large = new NtruIndexSealer(pair.publicKey(), frozen("wire/large-block/" + p))
                .seal(
                        DOMAIN,
                        CONTEXT,
                        200,
                        List.of(
                                new Posting(FOUND, every(3)),
                                new Posting(Keyword.text("word", "w0"), every(30)),
                                new Posting(Keyword.text("word", "w1"), every(60))))
                .getFirst();
        Map<String, byte[]> out = new LinkedHashMap<>();
        out.put("public-key", pair.publicKey().encode());
        out.put("secret-key", pair.secretKey().encode());
        out.put(
                "trapdoor",
                scheme.trapdoor(pair.secretKey(), DOMAIN, FOUND, new InMemoryTrapdoorStore())
                        .encode());
        out.put("block", block.encode());
        out.put("large-block", large.encode());
        out.put("ciphertext", scheme.encrypt(pair.publicKey(), DOMAIN, FOUND).encode());
        return out;
    }

    /** Of 200 records: 67 take two cells, 7 take one, 4 are in the field. */
    static RecordSet every(int step) {
        return RecordSet.of(
                IntStream.range(0, 200).filter(i -> i % step == step - 1).toArray());
    }

    @ParameterizedTest
    @MethodSource("dev.veilgate.peks.lattice.ntru.NtruParameters#all")
    void digestsAreFrozen(NtruParameters p) throws IOException {
        Properties frozen = new Properties();
        try (InputStream in = resource("digests.properties")) {
            frozen.load(in);
        }
        Map<String, String> actual = new LinkedHashMap<>();
        Map<String, String> expected = new LinkedHashMap<>();
        artefacts(p).forEach((name, bytes) -> {
            actual.put(name, sha256(bytes));
            expected.put(name, frozen.getProperty(p + "." + name));
        });
        assertThat(actual).isEqualTo(expected);
    }

    @Test
    void storedBytesAreStillReadAndStillMatch() throws IOException, MalformedEncodingException {
        byte[] keyBytes = stored("public-key");
        PublicKey key = PublicKey.decode(keyBytes);
        assertThat(key.encode()).isEqualTo(keyBytes);

        byte[] trapdoorBytes = stored("trapdoor");
        ScopedTrapdoor trapdoor = ScopedTrapdoor.decode(trapdoorBytes);
        assertThat(trapdoor.encode()).isEqualTo(trapdoorBytes);
        assertThat(trapdoor.keyId()).isEqualTo(key.id());

        NtruIndexScheme scheme = NtruIndexScheme.accepting(NtruParameters.all());
        Map<String, RecordSet> expected = Map.of(
                "block",
                RecordSet.of(1, 4),
                "large-block",
                every(3),
                "block-2",
                RecordSet.of(1, 4),
                "large-block-2",
                every(3));
        for (String name : expected.keySet()) {
            byte[] blockBytes = stored(name);
            IndexBlock block = IndexBlock.decode(blockBytes);
            assertThat(block.encode()).isEqualTo(blockBytes);
            assertThat(trapdoor)
                    .returns(block.scheme(), ScopedTrapdoor::scheme)
                    .returns(block.parameters(), ScopedTrapdoor::parameters)
                    .returns(block.keyId(), ScopedTrapdoor::keyId)
                    .returns(block.scope(), ScopedTrapdoor::scope)
                    .returns(block.epoch(), ScopedTrapdoor::epoch);
            StoredBlock admitted = scheme.storedForm(block, CONTEXT);
            IndexBlock bare = new IndexBlock(
                    block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), new byte[0]);
            assertThat(scheme.restore(bare, admitted).encode()).isEqualTo(blockBytes);
            assertThat(scheme.isOutdated(block)).isEqualTo(name.endsWith("-2"));
            assertThat(scheme.match(scheme.prepare(trapdoor), admitted))
                    .extracting(SlotMatch::records)
                    .containsExactly(expected.get(name));
        }

        byte[] ciphertextBytes = stored("ciphertext");
        Ciphertext ciphertext = Ciphertext.decode(ciphertextBytes);
        assertThat(ciphertext.encode()).isEqualTo(ciphertextBytes);
        assertThat(TestKeys.scheme(SMALL).test(Trapdoor.decode(trapdoor.bytes()), ciphertext))
                .isTrue();
    }

    /** Field by field, so that the layout does not hang on the code that is tested. */
    @Test
    void headersHaveTheseBytes() throws IOException {
        assertThat(HexFormat.of().formatHex(stored("public-key"), 0, 2)).isEqualTo("0101");
        assertThat(stored("public-key")).hasSize(2 + 512 * 24 / 8);
        String names = "09" + hex("ntru-peks") + "08" + hex("N512_Q24");
        String scope = "07" + hex("plant-7") + "07" + hex("2026-11");
        byte[] block = stored("block");
        byte[] block2 = stored("block-2");
        String header = "01" + names + sha256(stored("public-key")).substring(0, 32) + scope;
        assertThat(HexFormat.of().formatHex(block)).startsWith(header + "03" + "01" + "0f" + "04" + "00");
        assertThat(block).hasSize(header.length() / 2 + 5 + 512 * 24 / 8 + 32 + 256 * 16 / 8 + 16 * (13 + 1));
        assertThat(HexFormat.of().formatHex(block2)).startsWith(header + "02" + "01" + "0f" + "04" + "00");
        assertThat(block2).hasSize(block.length - 32);
        byte[] large = stored("large-block");
        assertThat(HexFormat.of().formatHex(large)).startsWith(header + "03" + "01" + "0f" + "c7" + "01");
        assertThat(large).hasSize(header.length() / 2 + 5 + 512 * 24 / 8 + 32 + 256 * 16 / 8 + 16 * (13 + 4) + 16 * 13);
        byte[] trapdoor = stored("trapdoor");
        assertThat(HexFormat.of().formatHex(trapdoor)).startsWith(header + "01" + "01");
        assertThat(trapdoor).hasSize(header.length() / 2 + 2 + 512 * 20 / 8);
        assertThat(stored("ciphertext")).hasSize(2 + 2 * 512 * 24 / 8 + 32);
    }

    private static String hex(String ascii) {
        return HexFormat.of().formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] stored(String name) throws IOException {
        try (InputStream in = resource(SMALL + "." + name + ".bin")) {
            return in.readAllBytes();
        }
    }

    private static InputStream resource(String name) {
        InputStream in = WireFormatTest.class.getResourceAsStream("wire/" + name);
        assertThat(in).as(name).isNotNull();
        return in;
    }

    private static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(digest(bytes));
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the resources into a folder: to be run when a format is meant to change (SOURCE.md beside them). */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        StringBuilder digests = new StringBuilder();
        for (NtruParameters p : NtruParameters.all()) {
            for (Map.Entry<String, byte[]> artefact : artefacts(p).entrySet()) {
                String name = p + "." + artefact.getKey();
                digests.append(name)
                        .append('=')
                        .append(sha256(artefact.getValue()))
                        .append('\n');
                if (p == SMALL && !artefact.getKey().equals("secret-key")) {
                    Files.write(folder.resolve(name + ".bin"), artefact.getValue());
                }
            }
        }
        Files.writeString(folder.resolve("digests.properties"), digests);
    }
}
