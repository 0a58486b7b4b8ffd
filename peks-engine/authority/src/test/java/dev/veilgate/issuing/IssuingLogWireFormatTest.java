package dev.veilgate.issuing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.envelope.SenderPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Freezes the formats of docs/spec/issuing-log.md. Another digest is another format, which takes another version number. */
class IssuingLogWireFormatTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final Instant TIME = Instant.parse("2026-11-22T10:00:00Z");

    private static LogEntry entry() {
        TreeMap<String, String> details = new TreeMap<>();
        details.put("trapdoor", "00ff");
        details.put("scope", "plant-7");
        return new LogEntry(300, filled(7, 32), TIME, EntryKind.TRAPDOOR, "ada", details, new byte[] {1, 2});
    }

    private static byte[] filled(int value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void anEntryByHand() {
        String expected = "88" // array of 8
                + "01" // version
                + "19012c" // number 300
                + "5820" + "07".repeat(32) // previous
                + "1b" + HEX.toHexDigits(TIME.toEpochMilli()) // time
                + "05" // kind
                + "63616461" // "ada"
                + "a2" + "6573636f7065" + "67706c616e742d37" // "scope": "plant-7", the shorter key first
                + "6874726170646f6f72" + "6430306666" // "trapdoor": "00ff"
                + "420102"; // sealed
        assertThat(HEX.formatHex(entry().encode())).isEqualTo(expected);
        assertThat(entry().digest()).isEqualTo(PlainMerkle.sha256(new byte[] {0}, HEX.parseHex(expected)));
    }

    @Test
    void aTreeHeadByHand() {
        TreeHead head = new TreeHead("acme", 24, filled(9, 32), TIME);
        assertThat(HEX.formatHex(head.encode()))
                .isEqualTo("84" + "6461636d65" + "1818" + "5820" + "09".repeat(32) + "1b"
                        + HEX.toHexDigits(TIME.toEpochMilli()));
    }

    @Test
    void aStatementByHand() {
        byte[] key = LogSamples.AUTHORITY.publicKey().encode();
        byte[] encoded = SignedStatement.sign("export", filled(9, 24), LogSamples.AUTHORITY)
                .encode();
        String before = "86" // array of 6
                + "72" + HEX.formatHex("veilgate-statement".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                + "01" // version
                + "666578706f7274" // "export"
                + "59" + HEX.toHexDigits((short) key.length) + HEX.formatHex(key)
                + "5818" + "09".repeat(24)
                + "59" + HEX.toHexDigits((short) SenderPublicKey.SIGNATURE_BYTES);
        assertThat(HEX.formatHex(encoded)).startsWith(before);
        byte[] signature = Arrays.copyOfRange(encoded, before.length() / 2, encoded.length);
        byte[] signed = HEX.parseHex("82" + "666578706f7274" + "5818" + "09".repeat(24));
        assertThat(LogSamples.AUTHORITY.publicKey().verify("veilgate/statement/1", signed, signature))
                .isTrue();
    }

    @Test
    void theFirstEntryNamesTheAuthority() {
        SenderPublicKey key = LogSamples.AUTHORITY.publicKey();
        byte[] encoded = key.encode();
        byte[] header = new ByteWriter(3000)
                .bytes(HEX.parseHex("83" + "74"
                        + HEX.formatHex("veilgate-issuing-log".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                        + "01"))
                .bytes(HEX.parseHex("59" + HEX.toHexDigits((short) encoded.length)))
                .bytes(encoded)
                .toByteArray();
        assertThat(LogFormat.header(key)).isEqualTo(header);
        byte[] label = new ByteWriter(40).shortString("veilgate/issuing-log/1").toByteArray();
        assertThat(LogFormat.origin(key)).isEqualTo(PlainMerkle.sha256(label, header));
    }

    @Test
    void kindsKeepTheirCodes() {
        assertThat(Arrays.stream(EntryKind.values()).map(kind -> kind.code() + " " + kind))
                .isEqualTo(List.of(
                        "1 REQUESTED",
                        "2 APPROVED",
                        "3 REFUSED",
                        "4 EXPIRED",
                        "5 TRAPDOOR",
                        "6 GRANT",
                        "7 ATTRIBUTE_KEY",
                        "8 ATTRIBUTE_KEY_REVOKED",
                        "9 DECRYPTION",
                        "10 EXPORT",
                        "11 KEY_CHANGE",
                        "12 RULE_CHANGE",
                        "13 SENDER_CHANGE",
                        "14 ROUTE_CHANGE",
                        "15 BUNDLE",
                        "16 BACKUP",
                        "17 LOGIN",
                        "18 LOGIN_REFUSED",
                        "19 REPAIRED"));
    }
}
