package dev.veilgate.issuing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderPublicKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the authority says is as it said it, or it is not signed. */
class SignedStatementTest {
    private static final byte[] CONTENT = "{\"rows\":3}".getBytes(StandardCharsets.UTF_8);
    private static final SignedStatement STATEMENT = SignedStatement.sign("export", CONTENT, LogSamples.AUTHORITY);

    private static boolean holds(byte[] encoded) {
        try {
            return SignedStatement.decode(encoded).isSignedBy(LogSamples.FINGERPRINT);
        } catch (MalformedEncodingException e) {
            return false;
        }
    }

    @Test
    void isReadAsItWasWritten() throws Exception {
        SignedStatement read = SignedStatement.decode(STATEMENT.encode());
        assertThat(read).isEqualTo(STATEMENT).hasSameHashCodeAs(STATEMENT);
        assertThat(read.kind()).isEqualTo("export");
        assertThat(read.content()).isEqualTo(CONTENT);
        assertThat(read.authority()).isEqualTo(LogSamples.AUTHORITY.publicKey());
        assertThat(read.isSignedBy(LogSamples.FINGERPRINT)).isTrue();
    }

    @Test
    void anythingFromNothingToTheLimitIsSigned() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        for (int length : new int[] {0, 1, 23, 24, 255, 256, 65_535, 65_536, SignedStatement.MAX_CONTENT_BYTES}) {
            byte[] content = new byte[length];
            random.nextBytes(content);
            byte[] encoded = SignedStatement.sign("export", content, LogSamples.AUTHORITY)
                    .encode();
            assertThat(encoded.length).isLessThanOrEqualTo(SignedStatement.MAX_BYTES);
            assertThat(SignedStatement.decode(encoded).content()).isEqualTo(content);
            assertThat(holds(encoded)).isTrue();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SignedStatement.sign(
                        "export", new byte[SignedStatement.MAX_CONTENT_BYTES + 1], LogSamples.AUTHORITY));
    }

    @Test
    void noBitOfItCanBeChanged() {
        byte[] good = STATEMENT.encode();
        assertThat(holds(good)).isTrue();
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << at % 8);
            assertThat(holds(bad)).as("byte " + at).isFalse();
        }
    }

    @Test
    void isNotTheOneOfAnotherKindContentOrAuthority() throws Exception {
        assertThat(encoded("exporu", LogSamples.AUTHORITY.publicKey(), CONTENT)).matches(bytes -> !holds(bytes));
        assertThat(encoded("export", LogSamples.AUTHORITY.publicKey(), new byte[3]))
                .matches(bytes -> !holds(bytes));
        assertThat(encoded("export", LogSamples.STRANGER.publicKey(), CONTENT)).matches(bytes -> !holds(bytes));
        assertThat(encoded("export", LogSamples.AUTHORITY.publicKey(), CONTENT))
                .matches(SignedStatementTest::holds, "what the others differ from holds");
        SignedStatement foreign = SignedStatement.sign("export", CONTENT, LogSamples.STRANGER);
        assertThat(holds(foreign.encode())).isFalse();
        assertThat(foreign.isSignedBy(LogSamples.STRANGER.publicKey().fingerprint()))
                .isTrue();
    }

    /** With the good signature, whatever it is put beside. */
    private static byte[] encoded(String kind, SenderPublicKey authority, byte[] content) {
        byte[] good = STATEMENT.encode();
        byte[] signature = Arrays.copyOfRange(good, good.length - SenderPublicKey.SIGNATURE_BYTES, good.length);
        return new CborWriter(8192)
                .array(6)
                .text("veilgate-statement")
                .integer(1)
                .text(kind)
                .bytes(authority.encode())
                .bytes(content)
                .bytes(signature)
                .toByteArray();
    }

    @Test
    void theBorderBetweenKindAndContentIsSigned() {
        byte[] signature =
                LogSamples.AUTHORITY.sign("veilgate/statement/1", HexFormat.of().parseHex("82" + "6161" + "426263"));
        byte[] good = withSignature("a", "bc", signature);
        assertThat(holds(good)).isTrue();
        assertThat(holds(withSignature("ab", "c", signature))).isFalse();
    }

    private static byte[] withSignature(String kind, String content, byte[] signature) {
        return new CborWriter(8192)
                .array(6)
                .text("veilgate-statement")
                .integer(1)
                .text(kind)
                .bytes(LogSamples.AUTHORITY.publicKey().encode())
                .bytes(content.getBytes(StandardCharsets.US_ASCII))
                .bytes(signature)
                .toByteArray();
    }

    @Test
    void aTreeHeadsSignatureIsNoStatements() {
        byte[] signed =
                new CborWriter(64).array(2).text("export").bytes(CONTENT).toByteArray();
        byte[] asHead = LogSamples.AUTHORITY.sign(LogFormat.HEAD_CONTEXT, signed);
        assertThat(holds(withSignature("export", new String(CONTENT, StandardCharsets.US_ASCII), asHead)))
                .isFalse();
    }

    @Test
    void kindsThatAreNoneAreRefused() {
        for (String kind : new String[] {"", "Export", "7", "a b", "ä", "a".repeat(65)}) {
            assertThatIllegalArgumentException()
                    .as(kind)
                    .isThrownBy(() -> SignedStatement.sign(kind, CONTENT, LogSamples.AUTHORITY));
            assertThatThrownBy(() -> SignedStatement.decode(encoded(kind, LogSamples.AUTHORITY.publicKey(), CONTENT)))
                    .as(kind)
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("kind");
        }
    }

    @Test
    void whatIsTooLongIsRefused() {
        assertThatThrownBy(() -> SignedStatement.decode(new byte[SignedStatement.MAX_BYTES + 1]))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("at most");
        assertThatThrownBy(() -> SignedStatement.decode(encoded(
                        "export", LogSamples.AUTHORITY.publicKey(), new byte[SignedStatement.MAX_CONTENT_BYTES + 1])))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("content");
    }

    @Test
    void doesNotPrintItsContent() {
        assertThat(STATEMENT.toString()).isEqualTo("SignedStatement[export, 10 bytes]");
    }
}
