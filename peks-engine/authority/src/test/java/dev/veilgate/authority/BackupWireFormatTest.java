package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Freezes shares and backups as docs/authority.md describes them: what is on paper must be read in ten years. */
class BackupWireFormatTest {
    private static final HexFormat HEX = HexFormat.of();

    private static byte[] counting(int from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (from + i);
        }
        return bytes;
    }

    /** The four lines were made by another program from the page's formulas. */
    @Test
    void aPrintedShare() throws Exception {
        String text = """
                Veilgate key share: secret; keep it apart from the other shares and from the backup
                tenant  acme
                backup  101112131415161718191a1b1c1d1e1f
                share   2 of 5; any 3 of them restore the keys

                1: 0481 24GK 2GAH C5RR 34D1 QKKT
                2: 3GEH W7R3 0M16 8SB6 CXM6 K5DS
                3: D9NP RVBE DXR7 2WKK EHTQ CG95
                4: EXW7 JYKV FHYQ WZW0 G618 7VS0
                """;
        try (KeyShare share = new KeyShare(counting(16, 16), 3, 5, 2, counting(100, 32))) {
            assertThat(share.text("acme")).isEqualTo(text);
            assertThat(KeyShare.parse(text).value()).isEqualTo(counting(100, 32));
        }
    }

    @Test
    void aHeaderByHand() throws Exception {
        BackupHeader header = new BackupHeader("acme", counting(16, 16), 1000, 3, 5);
        assertThat(HEX.formatHex(header.encode(counting(0, 32))))
                .isEqualTo("88" + "6f7665696c676174652d6261636b7570" + "01" + "6461636d65" + "50"
                        + HEX.formatHex(counting(16, 16)) + "1903e8" + "03" + "05" + "5820"
                        + HEX.formatHex(counting(0, 32)));
        assertThat(header.binding()).isEqualTo(header.encode(new byte[0]));
    }

    private static byte[] hmac(byte[] key, byte[]... parts) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (byte[] part : parts) {
            mac.update(part);
        }
        return mac.doFinal();
    }

    /** RFC 5869 by its two formulas, and a stream of one whole chunk and a byte. */
    @Test
    void chunksByHand() throws Exception {
        byte[] binding = {1, 2, 3};
        byte[] content = counting(0, BackupCipher.CHUNK_BYTES + 1);
        byte[] prk = hmac(MessageDigest.getInstance("SHA-256").digest(binding), counting(7, 32));
        byte[] info = "veilgate/backup/1".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        byte[] key = hmac(prk, info, new byte[] {1});
        ByteArrayOutputStream sealed = new ByteArrayOutputStream();
        try (BackupCipher cipher = new BackupCipher(counting(7, 32), binding)) {
            assertThat(cipher.check()).isEqualTo(hmac(prk, key, info, new byte[] {2}));
            try (OutputStream out = cipher.sealing(sealed)) {
                out.write(content);
            }
        }
        byte[] expected = Arrays.copyOf(
                gcm(key, "00".repeat(12), Arrays.copyOf(content, BackupCipher.CHUNK_BYTES)), sealed.size());
        byte[] last = gcm(key, "00".repeat(10) + "0101", new byte[] {content[BackupCipher.CHUNK_BYTES]});
        System.arraycopy(last, 0, expected, expected.length - last.length, last.length);
        assertThat(sealed.toByteArray()).isEqualTo(expected);
    }

    private static byte[] gcm(byte[] key, String nonce, byte[] plaintext) throws Exception {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, HEX.parseHex(nonce)));
        return cipher.doFinal(plaintext);
    }
}
