package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.SignatureSecretKey;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The third signature of an authority: whoever pins its key gets nothing that lacks it. */
class LastingSignatureTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final SigningKey AUTHORITY = SigningKey.generateAuthority("acme", RANDOM);
    private static final String PINNED = AUTHORITY.publicKey().fingerprint();
    private static final int TWO = SenderPublicKey.SIGNATURE_BYTES;
    private static final String BUNDLE = "veilgate/bundle/1";
    private static final String SENDERS = "veilgate/senders/1";

    /** Whoever has broken lattices and curves: he computes both secret keys, and has an SLH-DSA key of his own. */
    private static final Attacker ATTACKER = new Attacker(AUTHORITY);

    @TempDir
    private Path folder;

    private static final class Attacker {
        private final byte[] edSeed;
        private final byte[] mlSeed;
        private final SignatureSecretKey ownSlhDsa =
                PostQuantum.current().slhDsaSha2128f().key(new byte[48]);

        Attacker(SigningKey broken) {
            byte[] secret = broken.encode();
            int seeds = 1 + 1 + broken.publicKey().sender().length();
            edSeed = Arrays.copyOfRange(secret, seeds, seeds + 32);
            mlSeed = Arrays.copyOfRange(secret, seeds + 32, seeds + 64);
        }

        /** The same two keys as of version 1, as if there had never been a third. */
        SigningKey ofVersionOne() throws MalformedEncodingException {
            return SigningKey.decode(new ByteWriter(100)
                    .uint8(1)
                    .shortString("acme")
                    .bytes(edSeed)
                    .bytes(mlSeed)
                    .toByteArray());
        }

        /** The same two keys, and his own third. */
        SigningKey withOwnThird() throws MalformedEncodingException {
            return SigningKey.decode(new ByteWriter(200)
                    .uint8(2)
                    .shortString("acme")
                    .bytes(edSeed)
                    .bytes(mlSeed)
                    .bytes(new byte[48])
                    .toByteArray());
        }

        /** Both signatures that he can make, of the very input that the authority would sign. */
        byte[] both(String context, byte[] message) {
            byte[] input = input(context, message);
            byte[] signature = new byte[64];
            Ed25519.sign(edSeed, 0, input, 0, input.length, signature, 0);
            try (SignatureSecretKey mlDsa = PostQuantum.current().mlDsa65().key(mlSeed)) {
                return concat(signature, mlDsa.sign(input, RANDOM));
            }
        }

        byte[] ownThird(String context, byte[] message) {
            return ownSlhDsa.sign(input(context, message), RANDOM);
        }

        private static byte[] input(String context, byte[] message) {
            return SenderPublicKey.lastingSignatureInput(
                    context, HexFormat.of().parseHex(PINNED), Hashes.sha512().digest(message));
        }

        /** All that he can put behind both signatures of a message, of which the authority signed another one. */
        List<byte[]> forgeries(String context, byte[] message, byte[] genuineOfAnother) {
            byte[] both = both(context, message);
            return List.of(
                    both,
                    concat(both, new byte[17_088]),
                    concat(both, ownThird(context, message)),
                    concat(both, Arrays.copyOfRange(genuineOfAnother, TWO, genuineOfAnother.length)),
                    concat(both, AUTHORITY.signLasting("another use", message), TWO),
                    genuineOfAnother,
                    AUTHORITY.sign(context, message));
        }
    }

    private static byte[] concat(byte[] head, byte[] tail) {
        return concat(head, tail, 0);
    }

    private static byte[] concat(byte[] head, byte[] tail, int from) {
        byte[] out = Arrays.copyOf(head, head.length + tail.length - from);
        System.arraycopy(tail, from, out, head.length, tail.length - from);
        return out;
    }

    private static byte[] bundle(int version, SenderPublicKey authority, byte[] body, byte[] signature) {
        return document("veilgate-bundle", version, authority, body, signature);
    }

    private static byte[] document(
            String magic, int version, SenderPublicKey authority, byte[] body, byte[] signature) {
        return new CborWriter(40_000)
                .array(5)
                .text(magic)
                .integer(version)
                .bytes(authority.encode())
                .bytes(body)
                .bytes(signature)
                .toByteArray();
    }

    @Test
    void keysOfAnAuthoritySurviveTheirEncoding() throws Exception {
        SigningKey again = SigningKey.decode(AUTHORITY.encode());
        assertThat(again).isEqualTo(AUTHORITY).hasSameHashCodeAs(AUTHORITY);
        SenderPublicKey key = AUTHORITY.publicKey();
        assertThat(SenderPublicKey.decodeAuthority(key.encode())).isEqualTo(key);
        assertThat(key.encode()).hasSize(1 + 5 + 32 + 1952 + 32).startsWith(2);
        assertThat(key.version()).isEqualTo(2);
        assertThat(key.lastingSchemes()).containsExactly("Ed25519", "ML-DSA-65", "SLH-DSA-SHA2-128f");
        assertThat(key.verifyLasting("x", new byte[] {1}, again.signLasting("x", new byte[] {1})))
                .isTrue();
        assertThat(AUTHORITY.toString()).contains("hidden");
        again.close();
        assertThatThrownBy(() -> again.signLasting("x", new byte[1])).isInstanceOf(IllegalStateException.class);
    }

    /** Freezes the format of docs/wire-format.md: another fingerprint is another format, with another version. */
    @Test
    void theFingerprintOfAKnownKey() throws Exception {
        ByteWriter secret = new ByteWriter(200).uint8(2).shortString("acme");
        for (int seed : new int[] {7, 8}) {
            byte[] bytes = new byte[32];
            Arrays.fill(bytes, (byte) seed);
            secret.bytes(bytes);
        }
        byte[] third = new byte[48];
        Arrays.fill(third, (byte) 9);
        SigningKey key = SigningKey.decode(secret.bytes(third).toByteArray());
        assertThat(HexFormat.of().formatHex(key.publicKey().slhDsa()))
                .isEqualTo("09".repeat(16) + "e9c6e2106e1387c91c77392a96debd17");
        assertThat(key.publicKey().fingerprint())
                .isEqualTo("be1599a981f8e50ddf872df1e1068a5c2edfef1792f9a7fe556cc2e32c45ef2e");
    }

    @Test
    void keysThatDifferInTheirThirdAloneAreOthers() throws Exception {
        SigningKey other = ATTACKER.withOwnThird();
        assertThat(other).isNotEqualTo(AUTHORITY);
        assertThat(other.publicKey().mlDsa65()).isEqualTo(AUTHORITY.publicKey().mlDsa65());
        assertThat(other.publicKey()).isNotEqualTo(AUTHORITY.publicKey());
        assertThat(other.publicKey().fingerprint()).isNotEqualTo(PINNED);
    }

    /** Keys, bytes and signatures of before are as they were. */
    @Test
    void aLastingSignatureOfAKeyOfVersionOneIsOneAsAnyOther() {
        SigningKey old = SigningKey.generate("acme", RANDOM);
        byte[] message = {1, 2, 3};
        assertThat(old.publicKey().version()).isEqualTo(1);
        assertThat(old.publicKey().lastingSchemes()).containsExactly("Ed25519", "ML-DSA-65");
        assertThat(old.signLasting("x", message)).hasSize(TWO);
        assertThat(old.publicKey().verify("x", message, old.signLasting("x", message)))
                .isTrue();
        assertThat(old.publicKey().verifyLasting("x", message, old.sign("x", message)))
                .isTrue();
    }

    @Test
    void strippedSwappedAndAlteredSignaturesAreFalse() {
        SenderPublicKey key = AUTHORITY.publicKey();
        byte[] message = {1, 2, 3};
        byte[] good = AUTHORITY.signLasting("x", message);
        assertThat(good).hasSize(TWO + 17_088).hasSize(key.lastingSignatureBytes());
        assertThat(key.verifyLasting("x", message, good)).isTrue();
        byte[] stripped = Arrays.copyOf(good, TWO);
        assertThat(key.verifyLasting("x", message, stripped)).isFalse();
        assertThat(key.verify("x", message, stripped))
                .as("the first two alone are nothing")
                .isFalse();
        assertThat(key.verifyLasting("x", message, AUTHORITY.sign("x", message)))
                .isFalse();
        assertThat(key.verify("x", message, good)).isFalse();
        for (int at : new int[] {0, 63, 64, 3000, TWO - 1, TWO, TWO + 16, TWO + 9000, good.length - 1}) {
            byte[] altered = good.clone();
            altered[at] ^= 1;
            assertThat(key.verifyLasting("x", message, altered))
                    .as("byte " + at)
                    .isFalse();
        }
        SigningKey other = SigningKey.generateAuthority("acme", RANDOM);
        for (byte[] swapped : List.of(
                concat(stripped, other.signLasting("x", message), TWO),
                concat(stripped, AUTHORITY.signLasting("x", new byte[] {1, 2, 4}), TWO),
                concat(stripped, AUTHORITY.signLasting("y", message), TWO),
                concat(Arrays.copyOf(other.signLasting("x", message), TWO), good, TWO),
                Arrays.copyOf(good, good.length + 1),
                Arrays.copyOf(good, good.length - 1),
                new byte[0])) {
            assertThat(key.verifyLasting("x", message, swapped)).isFalse();
        }
        assertThat(key.verifyLasting("y", message, good)).isFalse();
        assertThat(other.publicKey().verifyLasting("x", message, good)).isFalse();
    }

    @Test
    void bundlesCarryAllThree() throws Exception {
        byte[] two = PublicBundle.sign(PublicBundleTest.content(5), AUTHORITY);
        byte[] one = PublicBundle.sign(PublicBundleTest.content(5), SigningKey.generate("acme", RANDOM));
        assertThat(PublicBundle.verify(two, PINNED, NOW).serial()).isEqualTo(5);
        assertThat(PublicBundle.verifyForSealing(two, PINNED, NOW, 5, 1 << 20).authority())
                .isEqualTo(AUTHORITY.publicKey());
        assertThat(two.length - one.length).as("bytes more").isEqualTo(17_088 + 32);
    }

    @Test
    void aPinOfOneVersionRefusesTheBundleOfTheOther() throws Exception {
        SigningKey one = ATTACKER.ofVersionOne(); // the same keys, without the third
        byte[] bundleOne = PublicBundle.sign(PublicBundleTest.content(5), one);
        byte[] bundleTwo = PublicBundle.sign(PublicBundleTest.content(5), AUTHORITY);
        assertThat(PublicBundle.verify(bundleOne, one.publicKey().fingerprint(), NOW)
                        .serial())
                .isEqualTo(5);
        assertThatThrownBy(() -> PublicBundle.verify(bundleOne, PINNED, NOW))
                .isInstanceOf(RefusedBundleException.class)
                .hasMessageContaining("another authority");
        assertThatThrownBy(() -> PublicBundle.verify(bundleTwo, one.publicKey().fingerprint(), NOW))
                .isInstanceOf(RefusedBundleException.class)
                .hasMessageContaining("another authority");
    }

    @Test
    void whoBreaksLatticesAndCurvesMakesNoBundle() throws Exception {
        byte[] body = PublicBundleTest.content(6).encode();
        byte[] genuine =
                AUTHORITY.signLasting(BUNDLE, PublicBundleTest.content(5).encode());
        for (byte[] forged : ATTACKER.forgeries(BUNDLE, body, genuine)) {
            assertThatThrownBy(() -> PublicBundle.verify(bundle(2, AUTHORITY.publicKey(), body, forged), PINNED, NOW))
                    .isInstanceOf(RefusedBundleException.class)
                    .hasMessageContaining("altered or is not signed");
        }
        for (SigningKey own : List.of(ATTACKER.ofVersionOne(), ATTACKER.withOwnThird())) {
            assertThatThrownBy(
                            () -> PublicBundle.verify(PublicBundle.sign(PublicBundleTest.content(6), own), PINNED, NOW))
                    .isInstanceOf(RefusedBundleException.class)
                    .hasMessageContaining("another authority");
        }
        byte[] third = AUTHORITY.signLasting(BUNDLE, body);
        byte[] good = bundle(2, AUTHORITY.publicKey(), body, concat(ATTACKER.both(BUNDLE, body), third, TWO));
        assertThat(PublicBundle.verify(good, PINNED, NOW).serial())
                .as("his two signatures are good; what he lacks is the third")
                .isEqualTo(6);
    }

    @Test
    void whoBreaksLatticesAndCurvesMakesNoHeadOfASenderRegistry() throws Exception {
        SenderRegistryHead head = new SenderRegistryHead("acme", 7, 0, new byte[32]);
        byte[] encoded = head.sign(AUTHORITY);
        assertThat(encoded).hasSize(head.bytesSignedBy(AUTHORITY.publicKey()));
        assertThat(SenderRegistryHead.verify(encoded, PINNED)).isEqualTo(head);
        byte[] statement = new ByteWriter(100)
                .shortString("acme")
                .bytes(HexFormat.of().parseHex("0000000000000008" + "0000000000000000"))
                .bytes(new byte[32])
                .toByteArray();
        byte[] genuine = AUTHORITY.signLasting(SENDERS, new byte[] {1});
        for (byte[] forged : ATTACKER.forgeries(SENDERS, statement, genuine)) {
            byte[] document = document("veilgate-senders", 2, AUTHORITY.publicKey(), statement, forged);
            assertThatThrownBy(() -> SenderRegistryHead.verify(document, PINNED))
                    .isInstanceOf(RefusedRegistryException.class);
        }
        for (SigningKey own : List.of(ATTACKER.ofVersionOne(), ATTACKER.withOwnThird())) {
            assertThatThrownBy(() -> SenderRegistryHead.verify(head.sign(own), PINNED))
                    .isInstanceOf(RefusedRegistryException.class)
                    .hasMessageContaining("another authority");
        }
        byte[] asBundle = AUTHORITY.signLasting(BUNDLE, statement);
        assertThatThrownBy(() -> SenderRegistryHead.verify(
                        document("veilgate-senders", 2, AUTHORITY.publicKey(), statement, asBundle), PINNED))
                .as("a bundle's signature is none of a head")
                .isInstanceOf(RefusedRegistryException.class);
    }

    @Test
    void registriesOfAnAuthorityOfVersionTwoAreRead() throws Exception {
        SenderPublicKey sender = SigningKey.generate("press-4", RANDOM).publicKey();
        SenderRegistryWriter.write(folder, "acme.senders", 3, AUTHORITY, registry -> registry.add(sender));
        try (SenderRegistry registry =
                SenderRegistry.open(folder.resolve("acme.senders"), new SenderRegistry.Expected(PINNED, "acme", 0))) {
            assertThat(registry.keysOf("press-4")).containsExactly(sender);
        }
    }

    @Test
    void theVersionOfADocumentIsThatOfItsKey() {
        SigningKey one = SigningKey.generate("acme", RANDOM);
        byte[] body = PublicBundleTest.content(5).encode();
        byte[] two = AUTHORITY.signLasting(BUNDLE, body);
        assertThatThrownBy(() -> PublicBundle.verify(bundle(1, AUTHORITY.publicKey(), body, two), PINNED, NOW))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("authority");
        assertThatThrownBy(() -> PublicBundle.verify(
                        bundle(2, one.publicKey(), body, one.sign(BUNDLE, body)),
                        one.publicKey().fingerprint(),
                        NOW))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("authority");
    }

    /** Software of before says the same of version 2, which is why a document says its key's. */
    @Test
    void softwareSaysThatALaterVersionWantsAnUpdate() {
        byte[] body = PublicBundleTest.content(5).encode();
        byte[] signature = AUTHORITY.signLasting(BUNDLE, body);
        assertThatThrownBy(() -> PublicBundle.verify(bundle(3, AUTHORITY.publicKey(), body, signature), PINNED, NOW))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("update the software");
        for (byte[] later : List.of(AUTHORITY.publicKey().encode(), AUTHORITY.encode())) {
            later[0] = 3;
            assertThatThrownBy(() -> SenderPublicKey.decodeAuthority(later))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("update the software");
            assertThatThrownBy(() -> SigningKey.decode(later))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("update the software");
        }
    }

    /** Senders sign at each arrival, and gateways of before read their keys. */
    @Test
    void theKeyOfAnAuthorityIsNoSenders() {
        SenderPublicKey authority = AUTHORITY.publicKey();
        assertThatThrownBy(() -> SenderPublicKey.decode(authority.encode()))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("of an authority");
        assertThatThrownBy(() -> SenderKeyText.read(SenderKeyText.write(authority)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("of an authority");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SenderRegistryWriter.write(
                        folder, "acme.senders", 1, AUTHORITY, registry -> registry.add(authority)));
    }

    @Test
    void wrongLengthsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SenderPublicKey("x", new byte[32], new byte[1952], new byte[31]));
        byte[] encoded = AUTHORITY.publicKey().encode();
        assertThatThrownBy(() -> SenderPublicKey.decodeAuthority(Arrays.copyOf(encoded, encoded.length - 1)))
                .isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> SenderPublicKey.decodeAuthority(Arrays.copyOf(encoded, encoded.length + 1)))
                .isInstanceOf(MalformedEncodingException.class);
        encoded[0] = 1; // a key of version 1 with 32 bytes behind it
        assertThatThrownBy(() -> SenderPublicKey.decodeAuthority(encoded))
                .isInstanceOf(MalformedEncodingException.class);
    }
}
