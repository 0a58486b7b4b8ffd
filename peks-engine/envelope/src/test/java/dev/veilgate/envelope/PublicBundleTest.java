package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.smime.SigningCertificates;
import dev.veilgate.random.TestSeed;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sender accepts as its tenant's bundle, and what it refuses. */
class PublicBundleTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final SigningKey AUTHORITY = SigningKey.generate("acme", new SecureRandom());
    private static final String PINNED = AUTHORITY.publicKey().fingerprint();
    private static final KemPublicKey WRAP =
            KemSecretKey.generate(new SecureRandom()).publicKey();
    private static final SenderPublicKey SENDER =
            SigningKey.generate("press-4", new SecureRandom()).publicKey();

    static PublicBundleContent content(long serial) {
        return new PublicBundleContent(
                "acme",
                serial,
                NOW.minusSeconds(60),
                NOW.plusSeconds(60),
                List.of(new IndexKey("ntru-peks", "N2048_Q29", new byte[] {1, 2, 3})),
                WRAP,
                List.of(
                        new Epoch(
                                "2026-11",
                                Instant.parse("2026-11-01T00:00:00Z"),
                                Instant.parse("2026-12-01T00:00:00Z")),
                        new Epoch(
                                "2026-12",
                                Instant.parse("2026-12-01T00:00:00Z"),
                                Instant.parse("2027-01-01T00:00:00Z"))),
                List.of(new Recipient("ann@acme.example", new byte[] {48, 0}, "mail-ann")),
                List.of(SENDER),
                List.of("plant-7"),
                new byte[] {7, 7},
                List.of(),
                false,
                List.of());
    }

    private static PublicBundleContent signing(PublicBundleContent of, List<List<X509Certificate>> signers) {
        return with(of, signers, null);
    }

    /** The content with other signers of mail, and with a profile of later rules, or none. */
    static PublicBundleContent with(
            PublicBundleContent of, List<List<X509Certificate>> signers, @Nullable NextProfile next) {
        return new PublicBundleContent(
                of.tenant(),
                of.serial(),
                of.notBefore(),
                of.notAfter(),
                of.indexKeys(),
                of.wrapKey(),
                of.epochs(),
                of.recipients(),
                of.senders(),
                of.scopes(),
                of.extractorProfile(),
                of.policyKeys(),
                of.sendersInRegistry(),
                signers,
                next);
    }

    private static byte[] bundle() {
        return PublicBundle.sign(content(5), AUTHORITY);
    }

    /** A bundle whose signature holds over whatever body. */
    private static byte[] signed(byte[] body) {
        return new CborWriter(body.length + 8192)
                .array(5)
                .text("veilgate-bundle")
                .integer(1)
                .bytes(AUTHORITY.publicKey().encode())
                .bytes(body)
                .bytes(AUTHORITY.sign("veilgate/bundle/1", body))
                .toByteArray();
    }

    @Test
    void givesWhatWasSigned() throws Exception {
        byte[] bytes = bundle();
        PublicBundle bundle = PublicBundle.verify(bytes, PINNED, NOW);
        assertThat(bundle.tenant()).isEqualTo("acme");
        assertThat(bundle.serial()).isEqualTo(5);
        assertThat(bundle.indexKeys()).isEqualTo(content(5).indexKeys());
        assertThat(bundle.wrapKey()).isEqualTo(WRAP);
        assertThat(bundle.senders()).containsExactly(SENDER);
        assertThat(bundle.extractorProfile()).containsExactly(7, 7);
        assertThat(bundle.epochAt(NOW).orElseThrow().name()).isEqualTo("2026-11");
        assertThat(bundle.epochAt(Instant.parse("2026-12-01T00:00:00Z"))
                        .orElseThrow()
                        .name())
                .isEqualTo("2026-12");
        assertThat(bundle.epochAt(Instant.parse("2027-01-01T00:00:00Z"))).isEmpty();
        assertThat(bundle.recipient("Ann@ACME.example ").orElseThrow().scope()).isEqualTo("mail-ann");
        assertThat(bundle.recipient("bob@acme.example")).isEmpty();
        assertThat(bundle.allowsScope("plant-7")).isTrue();
        assertThat(bundle.allowsScope("plant-8")).isFalse();
    }

    /** Signatures are not: ML-DSA mixes in randomness. */
    @Test
    void bodyIsDeterministic() {
        assertThat(content(5).encode()).isEqualTo(content(5).encode());
    }

    @Test
    void acceptsTheFingerprintAsPeopleWriteIt() throws Exception {
        String spaced = PINNED.toUpperCase(java.util.Locale.ROOT).replaceAll("(.{4})", "$1 ");
        assertThat(PublicBundle.verify(bundle(), spaced, NOW).serial()).isEqualTo(5);
        assertThatIllegalArgumentException().isThrownBy(() -> PublicBundle.verify(bundle(), "abc", NOW));
    }

    @Test
    void refusesAnotherAuthority() {
        SigningKey other = SigningKey.generate("acme", new SecureRandom());
        assertThatThrownBy(() -> PublicBundle.verify(PublicBundle.sign(content(5), other), PINNED, NOW))
                .isInstanceOf(RefusedBundleException.class)
                .hasMessageContaining("another authority")
                .hasMessageContaining("compare");
    }

    /** The pinned key in the bundle, but the body is another's. */
    @Test
    void refusesAnUnsignedBody() throws Exception {
        byte[] body = content(5).encode();
        SigningKey other = SigningKey.generate("acme", new SecureRandom());
        for (byte[] signature : List.of(
                new byte[0],
                new byte[SenderPublicKey.SIGNATURE_BYTES],
                other.sign("veilgate/bundle/1", body),
                AUTHORITY.sign("another use", body),
                AUTHORITY.sign("veilgate/bundle/1", content(6).encode()))) {
            byte[] forged = new CborWriter(8192)
                    .array(5)
                    .text("veilgate-bundle")
                    .integer(1)
                    .bytes(AUTHORITY.publicKey().encode())
                    .bytes(body)
                    .bytes(signature)
                    .toByteArray();
            assertThatThrownBy(() -> PublicBundle.verify(forged, PINNED, NOW))
                    .isInstanceOf(RefusedBundleException.class)
                    .hasMessageContaining("altered or is not signed");
        }
    }

    @Test
    void refusesOutsideItsValidity() throws Exception {
        byte[] bundle = bundle();
        PublicBundle.verify(bundle, PINNED, NOW.plusSeconds(59));
        PublicBundle.verify(bundle, PINNED, NOW.minusSeconds(60));
        assertThatThrownBy(() -> PublicBundle.verify(bundle, PINNED, NOW.plusSeconds(60)))
                .isInstanceOf(RefusedBundleException.class)
                .hasMessageContaining("expired")
                .hasMessageContaining("fetch a new one");
        assertThatThrownBy(() -> PublicBundle.verify(bundle, PINNED, NOW.minusSeconds(61)))
                .isInstanceOf(RefusedBundleException.class)
                .hasMessageContaining("clock");
    }

    @Test
    void tellsTheTenantOfAnExpiredBundleThatIsSignedAndPinned() throws Exception {
        byte[] expired = bundle();
        assertThat(PublicBundle.tenantNotForSealing(expired, PINNED))
                .isEqualTo(content(5).tenant());
        assertThatThrownBy(() -> PublicBundle.tenantNotForSealing(expired, "0".repeat(64)))
                .isInstanceOf(RefusedBundleException.class)
                .hasMessageContaining("another authority");
        byte[] altered = expired.clone();
        altered[altered.length - 1] ^= 1;
        assertThatThrownBy(() -> PublicBundle.tenantNotForSealing(altered, PINNED))
                .isInstanceOf(RefusedBundleException.class)
                .hasMessageContaining("altered");
    }

    @Test
    void refusesARollback() throws Exception {
        assertThat(PublicBundle.verify(bundle(), PINNED, NOW, 5).serial()).isEqualTo(5);
        assertThatThrownBy(() -> PublicBundle.verify(bundle(), PINNED, NOW, 6))
                .isInstanceOf(RefusedBundleException.class)
                .hasMessageContaining("serial 6 was seen before");
    }

    @Test
    void passesOverTextFieldsAndRefusesUnknownIntegerFields() throws Exception {
        byte[] body = content(5).encode();
        byte[] fields = java.util.Arrays.copyOfRange(body, 1, body.length); // behind the head of a map of 12
        byte[] withText = new CborWriter(body.length + 64)
                .map(13)
                .encoded(fields)
                .text("x-maker")
                .array(1)
                .integer(1)
                .toByteArray();
        assertThat(PublicBundle.verify(signed(withText), PINNED, NOW).serial()).isEqualTo(5);
        byte[] withInteger = new CborWriter(body.length + 64)
                .map(13)
                .encoded(fields)
                .integer(13)
                .integer(1)
                .toByteArray();
        assertThatThrownBy(() -> PublicBundle.verify(signed(withInteger), PINNED, NOW))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("critical field")
                .hasMessageContaining("update");
    }

    @Test
    void refusesALaterVersion() {
        byte[] bundle = bundle();
        bundle[1 + 1 + "veilgate-bundle".length()] = 2;
        assertThatThrownBy(() -> PublicBundle.verify(bundle, PINNED, NOW))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Ann@acme.example", "ann", "@x"})
    void refusesAddressesThatCannotBeCompared(String address) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Recipient(address, new byte[1], "s"));
    }

    @Test
    void refusesContentsThatContradictThemselves() {
        Epoch november = content(1).epochs().getFirst();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> copy(List.of(november, november), List.of("plant-7")))
                .withMessageContaining("epochs");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> copy(List.of(), List.of("plant-7")))
                .withMessageContaining("epochs");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> copy(List.of(november), List.of("b", "a")))
                .withMessageContaining("ascending");
    }

    /** Of a scheme that is looked into only when something is sealed. */
    private static PolicyKey policyKey(int scheme) {
        byte[] attributes = new ByteWriter(64)
                .uint8(1)
                .uint8(1)
                .shortString("cp-fabeo22")
                .uint8(scheme)
                .toByteArray();
        try {
            return PolicyKey.decode(attributes, WRAP.bytes());
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<PolicyKey> ofEpochs(int scheme) {
        return content(1).epochs().stream()
                .map(epoch -> policyKey(scheme)
                        .inEpoch(
                                epoch.name(),
                                KemSecretKey.generate(new SecureRandom()).publicKey()))
                .toList();
    }

    private static PublicBundleContent with(List<PolicyKey> policyKeys) {
        return copy(content(1).epochs(), List.of("plant-7"), policyKeys);
    }

    private static List<PolicyKey> joined(List<PolicyKey> first, List<PolicyKey> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    @Test
    void givesTheKeysOfEachEpochThatWereSigned() throws Exception {
        List<PolicyKey> keys = joined(joined(ofEpochs(1), ofEpochs(2)), List.of(policyKey(3)));
        byte[] bytes = PublicBundle.sign(with(keys), AUTHORITY);
        PublicBundle bundle = PublicBundle.verify(bytes, PINNED, NOW);
        assertThat(bundle.policyKeys()).isEqualTo(keys);
        assertThat(bundle.policyKeys().stream().map(key -> key.epoch().orElse("all")))
                .containsExactly("2026-11", "2026-12", "2026-11", "2026-12", "all");
        assertThat(bundle.policyKeys().stream().map(PolicyKey::id).distinct()).hasSize(5);
        assertThat(PublicBundleCodec.decode(with(keys).encode()).encode())
                .isEqualTo(with(keys).encode());
    }

    @Test
    void refusesKeysThatAreNotOfEachEpoch() {
        List<PolicyKey> keys = ofEpochs(1);
        for (List<PolicyKey> bad : List.of(
                keys.reversed(),
                keys.subList(0, 1),
                joined(keys, keys.subList(1, 2)),
                joined(keys.subList(0, 1), ofEpochs(2).subList(1, 2)),
                joined(List.of(policyKey(3)), keys))) {
            assertThatIllegalArgumentException().isThrownBy(() -> with(bad)).withMessageContaining("policy-keys");
        }
    }

    /** Text fields are passed over by software that does not know them, not by that which does. */
    @Test
    void refusesAnEncodingOfKeysOfEpochsThatIsNotWhole() throws Exception {
        byte[] none = with(List.of()).encode();
        byte[] attributes = policyKey(1).encodedAttributes();
        CborWriter two =
                new CborWriter(4096).array(1).array(2).bytes(attributes).array(2);
        byte[] right = two.bytes(WRAP.bytes()).bytes(WRAP.bytes()).toByteArray();
        assertThat(PublicBundleCodec.decode(withField(none, right)).policyKeys())
                .hasSize(2);
        CborWriter one =
                new CborWriter(4096).array(1).array(2).bytes(attributes).array(1);
        List<byte[]> wrong = List.of(
                one.bytes(WRAP.bytes()).toByteArray(),
                new CborWriter(8).array(0).toByteArray(),
                new CborWriter(8).text("keys").toByteArray(),
                new CborWriter(99).array(1).array(1).bytes(attributes).toByteArray(),
                new CborWriter(99)
                        .array(1)
                        .array(2)
                        .bytes(attributes)
                        .array(2)
                        .bytes(new byte[9])
                        .bytes(new byte[9])
                        .toByteArray());
        for (byte[] value : wrong) {
            assertThatThrownBy(() -> PublicBundleCodec.decode(withField(none, value)))
                    .isInstanceOf(MalformedEncodingException.class);
        }
    }

    private static byte[] withField(byte[] body, byte[] value) {
        return withField(body, "policy-keys-of-epochs", value);
    }

    private static byte[] withField(byte[] body, String name, byte[] value) {
        byte[] field =
                new CborWriter(value.length + 64).text(name).encoded(value).toByteArray();
        byte[] longer = Arrays.copyOf(body, body.length + field.length);
        System.arraycopy(field, 0, longer, body.length, field.length);
        longer[0]++; // one field more
        return longer;
    }

    private static List<X509Certificate> chain(int padding, int authorities) {
        try {
            return new SigningCertificates()
                    .padding(padding)
                    .authorities(authorities)
                    .make()
                    .chain();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void givesTheSignersOfMailThatWereSigned() throws Exception {
        List<List<X509Certificate>> signers = List.of(chain(0, 2), chain(0, 0), chain(0, 1));
        PublicBundleContent content = signing(with(joined(ofEpochs(1), List.of(policyKey(3)))), signers);
        PublicBundle bundle = PublicBundle.verify(PublicBundle.sign(content, AUTHORITY), PINNED, NOW);
        assertThat(bundle.mailSigners()).isEqualTo(signers);
        assertThat(bundle.policyKeys()).hasSize(3);
        assertThat(PublicBundle.verifyForSealing(PublicBundle.sign(content, AUTHORITY), PINNED, NOW, 0, 1 << 20)
                        .mailSigners())
                .isEqualTo(signers);
        assertThat(PublicBundleCodec.decode(content.encode()).encode()).isEqualTo(content.encode());
    }

    @Test
    void bundlesFromBeforeMailWasSignedNameNoSigner() throws Exception {
        assertThat(PublicBundle.verify(bundle(), PINNED, NOW).mailSigners()).isEmpty();
        assertThat(new String(content(5).encode(), StandardCharsets.ISO_8859_1)).doesNotContain("mail-signers");
    }

    @Test
    void boundsTheSignersOfMail() {
        List<List<X509Certificate>> most =
                IntStream.range(0, 32).mapToObj(i -> chain(0, 0)).toList();
        signing(content(5), most);
        List<List<X509Certificate>> more =
                Stream.concat(most.stream(), Stream.of(chain(0, 0))).toList();
        List<X509Certificate> one = most.getFirst();
        for (List<List<X509Certificate>> bad : List.of(
                more,
                List.of(List.<X509Certificate>of()),
                List.of(one, one),
                List.of(chain(0, 8)),
                List.of(chain(65 << 10, 0)),
                IntStream.range(0, 5).mapToObj(i -> chain(60 << 10, 0)).toList())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> signing(content(5), bad))
                    .withMessageContaining("mail-signers");
        }
    }

    @Test
    void refusesAnEncodingOfSignersOfMailThatIsNotWhole() throws Exception {
        byte[] none = content(5).encode();
        byte[] certificate = chain(0, 0).getFirst().getEncoded();
        CborWriter one = new CborWriter(4096).array(1).array(1).bytes(certificate);
        assertThat(PublicBundleCodec.decode(withField(none, "mail-signers", one.toByteArray()))
                        .mailSigners())
                .hasSize(1);
        CborWriter tenThousand = new CborWriter(1 << 20).array(10_000);
        for (int i = 0; i < 10_000; i++) {
            tenThousand.array(1).bytes(certificate);
        }
        CborWriter nine = new CborWriter(4096).array(1).array(9);
        for (int i = 0; i < 9; i++) {
            nine.bytes(certificate);
        }
        CborWriter long5 = new CborWriter(1 << 19).array(5);
        for (int i = 0; i < 5; i++) {
            long5.array(1).bytes(chain(60 << 10, 0).getFirst().getEncoded());
        }
        CborWriter twice = new CborWriter(4096).array(2);
        twice.array(1).bytes(certificate).array(1).bytes(certificate);
        List<byte[]> wrong = List.of(
                new CborWriter(8).array(0).toByteArray(),
                new CborWriter(8).text("none").toByteArray(),
                new CborWriter(8).array(1).array(0).toByteArray(),
                new CborWriter(8).array(1).integer(1).toByteArray(),
                new CborWriter(99).array(1).array(1).bytes(new byte[9]).toByteArray(),
                new CborWriter(4096)
                        .array(1)
                        .array(1)
                        .bytes(Arrays.copyOf(certificate, certificate.length + 1))
                        .toByteArray(),
                nine.toByteArray(),
                twice.toByteArray(),
                long5.toByteArray(),
                tenThousand.toByteArray());
        for (byte[] value : wrong) {
            assertThatThrownBy(() -> PublicBundleCodec.decode(withField(none, "mail-signers", value)))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessageContaining("mail-signers");
        }
    }

    @Test
    void refusesAnEncodingOfALaterProfileThatIsNotOneAndWhole() throws Exception {
        byte[] none = content(5).encode();
        Epoch first = content(5).epochs().getFirst();
        byte[] good = laterProfile(2, first, first);
        assertThat(PublicBundleCodec.decode(withField(none, "next-profile", good))
                        .nextProfile())
                .isNotNull();
        List<byte[]> wrong = List.of(
                withField(withField(none, "next-profile", good), "next-profile", good),
                withField(none, "next-profile", new CborWriter(8).array(0).toByteArray()),
                withField(none, "next-profile", laterProfile(1, first, first)),
                withField(none, "next-profile", laterProfile(4, first, first)),
                withField(none, "next-profile", laterProfile(3, first, before(first))),
                withField(none, "next-profile", new CborWriter(8).text("none").toByteArray()));
        for (byte[] body : wrong) {
            assertThatThrownBy(() -> PublicBundleCodec.decode(body)).isInstanceOf(MalformedEncodingException.class);
        }
    }

    private static Epoch before(Epoch epoch) {
        Instant from = epoch.from().minusSeconds(86_400);
        return new Epoch("2026-10", from, from.plusSeconds(60));
    }

    private static byte[] laterProfile(int items, Epoch from, Epoch onlyFrom) {
        CborWriter out = new CborWriter(256).array(items).bytes(new byte[] {9});
        for (int i = 1; i < items; i++) {
            Epoch epoch = i == 1 ? from : onlyFrom;
            out.array(3)
                    .text(epoch.name())
                    .integer(epoch.from().getEpochSecond())
                    .integer(epoch.to().getEpochSecond());
        }
        return out.toByteArray();
    }

    private static PublicBundleContent copy(List<Epoch> epochs, List<String> scopes) {
        return copy(epochs, scopes, List.of());
    }

    private static PublicBundleContent copy(List<Epoch> epochs, List<String> scopes, List<PolicyKey> policyKeys) {
        PublicBundleContent c = content(1);
        return new PublicBundleContent(
                "acme",
                1,
                c.notBefore(),
                c.notAfter(),
                c.indexKeys(),
                WRAP,
                epochs,
                c.recipients(),
                c.senders(),
                scopes,
                c.extractorProfile(),
                policyKeys,
                false,
                List.of());
    }

    /** Every bit of the container, and signed garbage for the body's decoder. */
    @Test
    void garbageIsRefusedOrWhole() {
        SplittableRandom random = TestSeed.of(PublicBundleTest.class).random("fuzz");
        byte[] good = bundle();
        byte[] body = signing(with(joined(ofEpochs(1), List.of(policyKey(3)))), List.of(chain(0, 1)))
                .encode();
        for (int i = 0; i < 400; i++) {
            byte[] altered = good.clone();
            altered[random.nextInt(altered.length)] ^= (byte) (1 << random.nextInt(8));
            assertThatThrownBy(() -> PublicBundle.verify(altered, PINNED, NOW))
                    .isInstanceOfAny(MalformedEncodingException.class, RefusedBundleException.class);
        }
        String text = new String(body, StandardCharsets.ISO_8859_1);
        int name = text.indexOf("policy-keys-of-epochs");
        int signers = text.indexOf("mail-signers");
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] altered = body.clone();
            int at = random.nextInt(altered.length);
            if (at >= name - 1 && at < name + 21 || at >= signers - 1 && at < signers + 12) {
                continue; // a text field of another name is passed over
            }
            altered[at] = (byte) random.nextInt(256);
            byte[] cut = random.nextInt(4) == 0 ? Arrays.copyOf(altered, random.nextInt(altered.length)) : altered;
            try {
                PublicBundleContent decoded = PublicBundleCodec.decode(cut);
                assertThat(decoded.encode()).isEqualTo(cut);
                accepted++;
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
        assertThat(accepted).isPositive(); // the keys' own bytes are not looked into
    }

    /** A list that claims to be long takes no memory. */
    @Test
    void limitsComeBeforeAllocation() {
        byte[] body = content(5).encode();
        CborReader reader = new CborReader("test", body);
        assertThat(reader.remaining()).isEqualTo(body.length);
        byte[] huge = new CborWriter(64)
                .map(11)
                .integer(1)
                .text("acme")
                .integer(2)
                .integer(5)
                .encoded(new byte[] {3, (byte) 0x9b, 0, 0, 0, 0, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff})
                .toByteArray();
        assertThatThrownBy(() -> PublicBundleCodec.decode(huge)).isInstanceOf(MalformedEncodingException.class);
        assertThatThrownBy(() -> PublicBundle.verify("hello".getBytes(StandardCharsets.UTF_8), PINNED, NOW))
                .isInstanceOf(MalformedEncodingException.class);
    }
}
