package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A note opens with its key, under its label and context, and unaltered; else not. */
class SealedNoteTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] CONTEXT = {7};

    @Test
    void opensAsItWasSealedAndInNoOtherPlace() throws Exception {
        try (KemSecretKey key = KemSecretKey.generate(RANDOM);
                KemSecretKey other = KemSecretKey.generate(RANDOM)) {
            for (int length : new int[] {0, 1, 31, 32, 33, 1000}) {
                byte[] plaintext = new byte[length];
                Arrays.fill(plaintext, (byte) (length == 1 ? 0x80 : 0)); // what the filling looks like
                byte[] note = SealedNote.seal(key.publicKey(), "label", CONTEXT, plaintext, RANDOM);
                assertThat(note).hasSize(SealedNote.sealedBytes(length));
                assertThat(SealedNote.recipient(note)).isEqualTo(key.publicKey().id());
                assertThat(SealedNote.open(key, "label", CONTEXT, note)).hasValue(plaintext);
                assertThat(SealedNote.open(other, "label", CONTEXT, note)).isEmpty();
                assertThat(SealedNote.open(key, "labe1", CONTEXT, note)).isEmpty();
                assertThat(SealedNote.open(key, "label", new byte[] {8}, note)).isEmpty();
            }
        }
    }

    @Test
    void anyAlteredByteIsFound() throws Exception {
        try (KemSecretKey key = KemSecretKey.generate(RANDOM)) {
            byte[] note = SealedNote.seal(key.publicKey(), "label", CONTEXT, new byte[] {1}, RANDOM);
            for (int at = 0; at < note.length; at += at < 20 || at > note.length - 60 ? 1 : 37) {
                byte[] bad = note.clone();
                bad[at] ^= 4;
                assertNotOpened(key, bad);
            }
            for (int length = 0; length < note.length; length += 41) {
                assertNotOpened(key, Arrays.copyOf(note, length));
            }
            assertNotOpened(key, Arrays.copyOf(note, note.length + 1));
        }
    }

    private static void assertNotOpened(KemSecretKey key, byte[] note) {
        Optional<byte[]> opened;
        try {
            opened = SealedNote.open(key, "label", CONTEXT, note);
        } catch (MalformedEncodingException e) {
            return;
        }
        assertThat(opened).isEmpty();
    }

    /** What the class comment says, by its formulas. */
    @Test
    void theFormatByHand() throws Exception {
        try (KemSecretKey key = KemSecretKey.generate(RANDOM)) {
            byte[] note = SealedNote.seal(key.publicKey(), "label", CONTEXT, new byte[] {5, 6}, RANDOM);
            byte[] id = key.publicKey().id().toBytes();
            assertThat(Arrays.copyOf(note, 17))
                    .isEqualTo(new ByteWriter(17).uint8(1).bytes(id).toByteArray());
            byte[] salt = MessageDigest.getInstance("SHA-256")
                    .digest(new ByteWriter(7)
                            .shortString("label")
                            .bytes(CONTEXT)
                            .toByteArray());
            byte[] kek = Hashes.hkdf(
                    salt,
                    key.decapsulate(Arrays.copyOfRange(note, 17, 17 + XWing.CIPHERTEXT_BYTES)),
                    new ByteWriter(40).shortString("veilgate/note/1").bytes(id).toByteArray(),
                    32);
            byte[] filled = Arrays.copyOf(new byte[] {5, 6, (byte) 0x80}, SealedNote.BLOCK_BYTES);
            assertThat(ContentKey.unwrap(kek, Arrays.copyOfRange(note, 17 + XWing.CIPHERTEXT_BYTES, note.length)))
                    .isEqualTo(filled);
        }
    }

    @Test
    void whatIsNoNoteHasNoRecipient() {
        assertThatThrownBy(() -> SealedNote.recipient(new byte[] {1, 2}))
                .isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> SealedNote.recipient(new byte[40])).isInstanceOf(MalformedEncodingException.class);
    }
}
