package dev.veilgate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SigningKey;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who may search is what the authority signed, and nothing else. */
class GrantTest {
    private static final SigningKey AUTHORITY = SigningKey.generate("acme", new SecureRandom());
    private static final SenderPublicKey KEY = AUTHORITY.publicKey();
    private static final Instant EXPIRES = Instant.parse("2026-12-01T00:00:00Z");
    private static final Instant BEFORE = EXPIRES.minusMillis(1);
    private static final SearchRequest REQUEST = SearchRequest.allOf(
            "acme",
            List.of(
                    List.of(SearchRequestTest.trapdoor(1), SearchRequestTest.trapdoor(2)),
                    List.of(SearchRequestTest.trapdoor(3))));
    private static final Grant GRANT = Grant.issue(AUTHORITY, "auditor", REQUEST.digests(), EXPIRES, 7);

    @Test
    void permitsWhatTheAuthoritySigned() throws Exception {
        Grant decoded = Grant.decode(GRANT.encode());
        decoded.verify(KEY, REQUEST, BEFORE);
        assertThat(decoded).isEqualTo(GRANT);
        assertThat(decoded.holder()).isEqualTo("auditor");
        assertThat(decoded.expires()).isEqualTo(EXPIRES);
        assertThat(decoded.logIndex()).isEqualTo(7);
        assertThat(decoded.trapdoors()).isEqualTo(REQUEST.digests());
        decoded.verify(KEY, Set.of(Digest.of(SearchRequestTest.trapdoor(3))), BEFORE); // less is permitted too
    }

    @Test
    void anExpiredGrantIsRefused() {
        assertThatThrownBy(() -> GRANT.verify(KEY, REQUEST, EXPIRES))
                .isInstanceOf(RefusedGrantException.class)
                .hasMessageContaining("expired");
    }

    @Test
    void otherTrapdoorsAreRefused() {
        SearchRequest more = SearchRequest.allOf(
                "acme", List.of(List.of(SearchRequestTest.trapdoor(1)), List.of(SearchRequestTest.trapdoor(4))));
        assertThatThrownBy(() -> GRANT.verify(KEY, more, BEFORE))
                .isInstanceOf(RefusedGrantException.class)
                .hasMessageContaining("trapdoors");
    }

    @Test
    void anotherAuthoritysGrantIsRefused() {
        for (SigningKey other : List.of(
                SigningKey.generate("acme", new SecureRandom()), SigningKey.generate("mallory", new SecureRandom()))) {
            Grant forged = Grant.issue(other, "auditor", REQUEST.digests(), EXPIRES, 7);
            assertThatThrownBy(() -> forged.verify(KEY, REQUEST, BEFORE))
                    .isInstanceOf(RefusedGrantException.class)
                    .hasMessageContaining("signed");
        }
    }

    /** Every byte of the body is under the signature, and the signature's context is a grant's. */
    @Test
    void anAlteredGrantIsRefused() throws Exception {
        CborReader in = new CborReader("grant", GRANT.encode());
        in.array("", 4);
        in.text("", 99);
        in.uint("", 9);
        byte[] body = in.bytes("", Grant.MAX_BYTES);
        byte[] signature = in.bytes("", Grant.MAX_BYTES);
        assertThat(encoded(body, signature)).isEqualTo(GRANT.encode());
        int decodable = 0;
        for (int i = 0; i < body.length; i++) {
            byte[] altered = body.clone();
            altered[i] ^= 1;
            try {
                Grant grant = Grant.decode(encoded(altered, signature));
                decodable++;
                assertThatThrownBy(() -> grant.verify(KEY, Set.of(), BEFORE)).isInstanceOf(RefusedGrantException.class);
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
        assertThat(decodable).isGreaterThan(50);
        Grant elsewhere = Grant.decode(encoded(body, AUTHORITY.sign("veilgate/bundle/1", body)));
        assertThatThrownBy(() -> elsewhere.verify(KEY, REQUEST, BEFORE)).isInstanceOf(RefusedGrantException.class);
    }

    private static byte[] encoded(byte[] body, byte[] signature) {
        return new CborWriter(4096)
                .array(4)
                .text("veilgate-grant")
                .integer(1)
                .bytes(body)
                .bytes(signature)
                .toByteArray();
    }

    @Test
    void whatIsNotCanonicalIsRefused() {
        byte[] one = Digest.of(SearchRequestTest.trapdoor(1)).toBytes();
        byte[] two = Arrays.copyOf(one, 64);
        System.arraycopy(one, 0, two, 32, 32);
        for (byte[] digests : new byte[][] {new byte[0], Arrays.copyOf(one, 31), two}) {
            byte[] body = new CborWriter(200)
                    .array(4)
                    .text("auditor")
                    .integer(1)
                    .integer(0)
                    .bytes(digests)
                    .toByteArray();
            assertThatThrownBy(() -> Grant.decode(encoded(body, new byte[SenderPublicKey.SIGNATURE_BYTES])))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("digests");
        }
        assertThatThrownBy(() -> Grant.decode(Arrays.copyOf(GRANT.encode(), GRANT.encode().length + 1)))
                .isInstanceOf(MalformedEncodingException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grant.issue(AUTHORITY, "", REQUEST.digests(), EXPIRES, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> Grant.issue(AUTHORITY, "a", Set.of(), EXPIRES, 0));
    }
}
