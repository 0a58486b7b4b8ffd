package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * Freezes what an envelope looks like, and holds docs/wire-format.md to it: the page's example is made here again from its fixed
 * keys and coins, its intermediate values by the page's formulas alone. A digest that changes is a new format, which takes a new
 * version number.
 */
class EnvelopeWireFormatTest {
    private static final String FROZEN = "f354cc517ccf889ecdda1400845b5113ea658712c12ca56c7646a93daefaf90b";
    /** What an envelope was before there were origins: one without them has not changed. */
    private static final String FROZEN_WITHOUT_ORIGINS =
            "29ac8794f7035b2b89766ed0c76cb3fcdd265f7f219934f24a3f18e8e5566ded";

    private static final List<Origin> ORIGINS = List.of(new Origin("/var/log/app.log", 2));
    private static final HexFormat HEX = HexFormat.of();
    private static final Instant TIME = Instant.parse("2026-11-21T12:23:00Z");
    private static final List<byte[]> RECORDS = List.of("hello".getBytes(StandardCharsets.US_ASCII), new byte[0]);

    /** Gives out 00, 01, 02 and so on. */
    private static final class Counting extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private int next;

        Counting() {
            super(null, null);
        }

        @Override
        public void nextBytes(byte[] out) {
            for (int i = 0; i < out.length; i++) {
                out[i] = (byte) next++;
            }
        }
    }

    /** An invented scheme: its payload is the digest that blocks are bound to. */
    private record ExampleSealer() implements IndexSealer {
        @Override
        public KeyId keyId() {
            return KeyId.of(repeated(4, KeyId.BYTES));
        }

        @Override
        public List<IndexBlock> seal(
                KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
            return List.of(new IndexBlock(
                    "example", "NONE", keyId(), domain.scope(), domain.epoch(), context.sealedContentDigest()));
        }
    }

    private static byte[] repeated(int value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static SigningKey sender() throws Exception {
        return SigningKey.decode(new ByteWriter(80)
                .uint8(1)
                .shortString("press-4")
                .bytes(repeated(2, 32))
                .bytes(repeated(3, 32))
                .toByteArray());
    }

    private static KemSecretKey tenant() throws Exception {
        return KemSecretKey.decode(
                new ByteWriter(33).uint8(1).bytes(repeated(1, 32)).toByteArray());
    }

    private static byte[] example() throws Exception {
        return example(ORIGINS);
    }

    private static byte[] example(List<Origin> origins) throws Exception {
        EnvelopeSealer sealer = new EnvelopeSealer(
                "acme",
                List.of(new ExampleSealer()),
                tenant().publicKey(),
                sender(),
                Clock.fixed(TIME, ZoneOffset.UTC),
                new Counting());
        LossReport loss = new LossReport("spool-full", 3, 210, TIME.minusSeconds(60), TIME.minusSeconds(30));
        EnvelopeDraft draft = new EnvelopeDraft(
                "plant-7",
                "2026-11",
                TIME.minusSeconds(2),
                TIME.minusSeconds(1),
                "text/plain",
                RECORDS,
                List.of(),
                List.of(loss),
                600,
                origins);
        return sealer.seal(draft, ChainPosition.first()).bytes();
    }

    @Test
    void digestIsFrozen() throws Exception {
        assertThat(HEX.formatHex(Hashes.sha256(example()))).isEqualTo(FROZEN);
    }

    @Test
    void digestWithoutOriginsIsFrozen() throws Exception {
        assertThat(HEX.formatHex(Hashes.sha256(example(List.of())))).isEqualTo(FROZEN_WITHOUT_ORIGINS);
    }

    @Test
    void thePageShowsThisEnvelope() throws Exception {
        assertThat(block("envelope")).isEqualTo(rendered(example()));
    }

    @Test
    void thePagesFormulasGiveItsIntermediateValues() throws Exception {
        assertThat(block("values")).isEqualTo(String.join("\n", values(example())));
    }

    @Test
    void theExampleOpensAndVerifies() throws Exception {
        Envelope envelope = Envelope.decode(example());
        assertThat(new EnvelopeOpener(List.of(tenant())).open(envelope))
                .usingElementComparator(Arrays::compare)
                .containsExactlyElementsOf(RECORDS);
        assertThat(new EnvelopeOpener(List.of(tenant())).origins(envelope))
                .containsExactly("/var/log/app.log", "/var/log/app.log");
        assertThat(envelope.signedBy(sender().publicKey())).isTrue();
        assertThat(envelope.index().getFirst().payload())
                .isEqualTo(envelope.context().sealedContentDigest());
    }

    @Test
    void thePageListsEveryField() throws Exception {
        Set<Integer> listed = new TreeSet<>();
        Matcher rows = Pattern.compile("(?m)^\\| (\\d+) \\| ").matcher(page());
        while (rows.find()) {
            listed.add(Integer.parseInt(rows.group(1)));
        }
        Set<Integer> known = new TreeSet<>();
        for (int key = 0; key < 100; key++) {
            if (EnvelopeFormat.isKnown(key)) {
                known.add(key);
            }
        }
        assertThat(listed).isEqualTo(known);
    }

    private static String page() throws Exception {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        return Files.readString(folder.resolve("docs/wire-format.md"));
    }

    /** The code block behind a marker in the page. */
    private static String block(String name) throws Exception {
        String page = page();
        int marker = page.indexOf("<!-- example: " + name + " -->");
        assertThat(marker).as("marker of %s", name).isNotNegative();
        int from = page.indexOf("```text\n", marker) + "```text\n".length();
        return page.substring(from, page.indexOf("\n```", from));
    }

    // What follows is written after the page, not after the code: it uses no class of the envelope but names.

    private static List<String> values(byte[] bytes) throws Exception {
        Surgery parts = Surgery.on(bytes);
        byte[] headerDigest = sha("SHA-256", labelled("veilgate/envelope/header/1"), header(parts, true));
        byte[] rest = sha("SHA-256", labelled("veilgate/envelope/attributes/1"), header(parts, false));
        byte[] contentKey = new byte[32];
        for (int i = 0; i < 32; i++) {
            contentKey[i] = (byte) (16 + i);
        }
        byte[] attributeKey = Hashes.hkdf(rest, contentKey, labelled("veilgate/envelope/attributes/1"), 32);
        byte[] attributes = new CborWriter(32)
                .map(1)
                .integer(1)
                .array(1)
                .array(2)
                .text("/var/log/app.log")
                .integer(2)
                .toByteArray();
        assertThat(parts.get(EnvelopeFormat.KEY_ATTRIBUTES))
                .isEqualTo(Surgery.bytes(gcm(attributeKey, new byte[12], new byte[0], Arrays.copyOf(attributes, 32))));
        byte[] both = Hashes.hkdf(headerDigest, contentKey, labelled("veilgate/envelope/records/1"), 64);
        byte[] recordKey = Arrays.copyOf(both, 32);
        byte[] commitment = Arrays.copyOfRange(both, 32, 64);
        byte[] content = sha(
                "SHA-256",
                labelled("veilgate/envelope/content/1"),
                headerDigest,
                commitment,
                parts.get(EnvelopeFormat.KEY_RECORDS));
        byte[] first = gcm(recordKey, new byte[12], concat(headerDigest, new byte[4]), RECORDS.getFirst());
        byte[] nonce = new byte[12];
        nonce[11] = 1;
        byte[] second = gcm(recordKey, nonce, concat(headerDigest, new byte[] {0, 0, 0, 1}), RECORDS.getLast());
        byte[] records = new CborWriter(64).array(2).bytes(first).bytes(second).toByteArray();
        assertThat(parts.get(EnvelopeFormat.KEY_RECORDS)).isEqualTo(records);
        assertThat(parts.get(EnvelopeFormat.KEY_COMMITMENT)).isEqualTo(Surgery.bytes(commitment));

        CborReader wrap = new CborReader("wraps", parts.get(EnvelopeFormat.KEY_WRAPS));
        wrap.array("wraps", 1);
        wrap.array("wrap", 4);
        wrap.text("algorithm", 64);
        byte[] keyId = wrap.bytes("key-id", 16);
        byte[] secret = new XWing.DecapsulationKey(repeated(1, 32)).decapsulate(wrap.bytes("encapsulation", 2000));
        byte[] kek = Hashes.hkdf(
                headerDigest,
                secret,
                concat(labelled("veilgate/envelope/wrap/1"), labelled("x25519+ml-kem-768"), keyId),
                32);
        assertThat(wrap.bytes("wrapped", 48)).isEqualTo(gcm(kek, new byte[12], new byte[0], contentKey));

        byte[] message =
                sha("SHA-512", parts.remove(EnvelopeFormat.KEY_SIGNATURE).close());
        byte[] input = concat(
                labelled("veilgate/signature/1"),
                labelled("envelope"),
                HEX.parseHex(sender().publicKey().fingerprint()),
                message);
        List<String> lines = new ArrayList<>();
        line(
                lines,
                "SHA-256 of the tenant's key",
                Hashes.sha256(tenant().publicKey().bytes()));
        line(
                lines,
                "fingerprint of the sender",
                HEX.parseHex(sender().publicKey().fingerprint()));
        line(lines, "digest of the header's rest", rest);
        line(lines, "attribute key", attributeKey);
        line(lines, "header digest", headerDigest);
        line(lines, "record key", recordKey);
        line(lines, "commitment", commitment);
        line(lines, "content digest", content);
        line(lines, "shared secret of X-Wing", secret);
        line(lines, "key encryption key", kek);
        line(lines, "SHA-512 of the unsigned envelope", message);
        line(lines, "SHA-256 of the signature input", Hashes.sha256(input));
        line(lines, "envelope digest", Hashes.sha256(bytes));
        return lines;
    }

    private static byte[] header(Surgery parts, boolean withAttributes) {
        ByteWriter header = new ByteWriter(256);
        for (int key = 0; key < 16; key++) {
            if (parts.has(key) && (withAttributes || key != EnvelopeFormat.KEY_ATTRIBUTES)) {
                header.bytes(Surgery.key(key)).bytes(parts.get(key));
            }
        }
        return header.toByteArray();
    }

    private static void line(List<String> lines, String name, byte[] value) {
        lines.add("%-34s%s".formatted(name, HEX.formatHex(value, 0, Math.min(32, value.length))));
        if (value.length > 32) {
            lines.add(" ".repeat(34) + HEX.formatHex(value, 32, value.length));
        }
    }

    private static byte[] labelled(String label) {
        return new ByteWriter(64).shortString(label).toByteArray();
    }

    private static byte[] concat(byte[]... parts) {
        ByteWriter out = new ByteWriter(256);
        for (byte[] part : parts) {
            out.bytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] sha(String name, byte[]... parts) throws Exception {
        return MessageDigest.getInstance(name).digest(concat(parts));
    }

    private static byte[] gcm(byte[] key, byte[] nonce, byte[] associated, byte[] plaintext) throws Exception {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
        cipher.updateAAD(associated);
        return cipher.doFinal(plaintext);
    }

    /** One line a field, or a part of a field; long strings shortened to both ends and their digest. */
    private static String rendered(byte[] bytes) throws Exception {
        CborReader in = new CborReader("envelope", bytes);
        List<String> lines = new ArrayList<>();
        int fields = in.map("map", 64);
        lines.add(note(HEX.formatHex(bytes, 0, in.position()), "map of " + fields));
        for (int i = 0; i < fields; i++) {
            int from = in.position();
            int key = in.uint("key", 99);
            String head = HEX.formatHex(bytes, from, in.position());
            render(lines, in, bytes, head, name(key), 1);
        }
        in.end();
        return String.join("\n", lines);
    }

    private static String name(int key) {
        return switch (key) {
            case 0 -> "version";
            case 2 -> "id";
            case 3 -> "tenant";
            case 4 -> "sender";
            case 5 -> "first";
            case 6 -> "last";
            case 7 -> "count";
            case 8 -> "media type";
            case 9 -> "sequence";
            case 10 -> "previous";
            case 11 -> "heartbeat";
            case 12 -> "loss";
            case 14 -> "attributes";
            case 16 -> "commitment";
            case 17 -> "records";
            case 18 -> "index";
            case 19 -> "wraps";
            case 31 -> "signature";
            default -> throw new IllegalArgumentException("field " + key);
        };
    }

    private static void render(List<String> lines, CborReader in, byte[] bytes, String head, String name, int depth)
            throws Exception {
        String indent = "  ".repeat(depth);
        String before = head.isEmpty() ? "" : head + " ";
        int from = in.position();
        if ((bytes[from] >> 5 & 7) == 4) {
            int size = in.array("array", 64);
            String array = HEX.formatHex(bytes, from, in.position());
            lines.add(note(indent + before + array, (name.isEmpty() ? "" : name + ", ") + "array of " + size));
            for (int i = 0; i < size; i++) {
                render(lines, in, bytes, "", "", depth + 1);
            }
            return;
        }
        byte[] item = in.rawItem("item");
        int type = item[0] >> 5 & 7;
        String text = type == 3 ? "\"" + new CborReader("text", item).text("text", 999) + "\"" : "";
        String number = type == 0 ? Long.toString(new CborReader("n", item).integer("n")) : "";
        String comment = (name + " " + text + number).strip();
        if (item.length <= 48) {
            lines.add(note(indent + before + HEX.formatHex(item), comment));
        } else if (item.length <= 200) {
            lines.add(note(indent + before + HEX.formatHex(item, 0, 32), comment));
            for (int at = 32; at < item.length; at += 32) {
                lines.add(indent + "   " + HEX.formatHex(item, at, Math.min(item.length, at + 32)));
            }
        } else {
            int heads = item.length > 0xffff ? 5 : 3;
            lines.add(note(indent + before + HEX.formatHex(item, 0, 16) + "...", comment));
            lines.add(indent + "   ..." + HEX.formatHex(item, item.length - 16, item.length) + "  # "
                    + (item.length - heads) + " bytes, SHA-256 "
                    + HEX.formatHex(Hashes.sha256(Arrays.copyOfRange(item, heads, item.length)), 0, 8) + "...");
        }
    }

    private static String note(String hex, String comment) {
        return comment.isEmpty() ? hex : hex + "  # " + comment;
    }
}
