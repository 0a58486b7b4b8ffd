package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.abe.AttributeMasterKey;
import dev.veilgate.abe.AttributeSecretKey;
import dev.veilgate.abe.Label;
import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.PolicyKey;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.envelope.UnopenableEnvelopeException.Reason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A former reader who breaks the pairing: it has its keys of November, and every key of attributes that there can be, since a quantum computer gave it the scheme's master key. And a stranger who
 * makes the authority look for epochs.
 */
class ReaderEpochsAttackTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String NOVEMBER = "2026-11";
    private static final String DECEMBER = "2026-12";
    private static final byte[] SECRET = "the press overheats".getBytes(StandardCharsets.UTF_8);

    private KeyFolder folder;

    @BeforeEach
    void open(@TempDir Path parent) throws Exception {
        folder = SealedWord.open(SealedWord.keys(parent), Access.CHANGE);
    }

    @AfterEach
    void close() throws Exception {
        folder.close();
    }

    private PublicBundle bundle() throws Exception {
        TenantKeys keys = folder.keys();
        byte[] bytes = keys.nextBundle(SealedWord.NOW, Duration.ofDays(60));
        return PublicBundle.verify(bytes, keys.authority().fingerprint(), SealedWord.NOW);
    }

    private Envelope seal(String epoch, List<PolicyKey> policyKeys, Label... readers) throws Exception {
        return SealedWord.forReaders(bundle(), policyKeys, epoch, SECRET, readers);
    }

    /** As a sender does, with what is in the bundle. */
    private Envelope sealed(String epoch) throws Exception {
        return seal(epoch, bundle().policyKeys(), Label.policy("role:dpo"));
    }

    private List<ReaderKey> issued(String holder, String... epochs) throws Exception {
        return folder.keys().issueReaderKeys(holder, Label.attributes("role:dpo"), List.of(epochs), RANDOM);
    }

    /** The key of attributes that who has broken the pairing makes for itself. */
    private AttributeSecretKey broken(Label label) throws Exception {
        PolicyKeyEntry pair = folder.keys().rings.policy.getFirst();
        AttributeMasterKey master =
                AttributeMasterKey.decode(pair.encodedMaster().clone());
        PolicyKey publicKey = pair.publicKey();
        return publicKey.scheme().keyGen(master, publicKey.attributes(), label, RANDOM);
    }

    /** What a reader finds in its own file of the key that readers share. */
    private static KemSecretKey shared(ReaderKey key) throws MalformedEncodingException {
        CborReader in = new CborReader("reader-key", key.encode());
        in.array("reader-key", 7);
        for (int i = 0; i < 5; i++) {
            in.rawItem("before");
        }
        return KemSecretKey.decode(in.bytes("readers-key", 64));
    }

    /** Opens whatever it is given with one key, also what says that it is for another. */
    private static EnvelopeOpener with(ReaderKey own, KemSecretKey shared, AttributeSecretKey attributes)
            throws MalformedEncodingException {
        PolicyKey pair = PolicyKey.decode(
                own.policyKey().encodedAttributes(), shared.publicKey().bytes());
        ReaderKey key = new ReaderKey("acme", "eve", pair, shared, attributes);
        return new EnvelopeOpener(List.of(), (id, ciphertext, work) -> List.of(key));
    }

    @Test
    void aFormerReaderWhoBreaksThePairingOpensNothingOfAnotherEpoch() throws Exception {
        ReaderKey november = issued("eve", NOVEMBER).getFirst();
        ReaderKey stays = issued("ada", NOVEMBER, DECEMBER).getLast();
        Label everything = Label.attributes("role:dpo").in(DECEMBER);
        Envelope envelope = sealed(DECEMBER);

        assertThatThrownBy(() ->
                        with(november, shared(november), broken(everything)).open(envelope))
                .isInstanceOf(UnopenableEnvelopeException.class);

        // the attack is one: of its own epoch, and with the shared key of December, it opens
        assertThat(with(november, shared(november), broken(everything.in(NOVEMBER)))
                        .open(seal(NOVEMBER, bundle().policyKeys(), Label.policy("role:dpo@2026-12 OR role:dpo"))))
                .containsExactly(SECRET);
        assertThat(with(november, shared(stays), broken(everything)).open(envelope))
                .containsExactly(SECRET);
    }

    @Test
    void whatARevokedReaderHasOpensNothingOfTheNewPairOfTheSameEpoch() throws Exception {
        ReaderKey old = issued("eve", NOVEMBER).getFirst();
        folder.keys().rotatePolicyKey(RANDOM, SealedWord.NOW);
        AttributeSecretKey ofNewPair = broken(Label.attributes("role:dpo").in(NOVEMBER));
        ReaderKey ofOther = issued("ada", NOVEMBER).getFirst();
        Envelope envelope = sealed(NOVEMBER);
        assertThatThrownBy(() -> with(ofOther, shared(old), ofNewPair).open(envelope))
                .isInstanceOf(UnopenableEnvelopeException.class);
        assertThat(with(ofOther, shared(ofOther), ofNewPair).open(envelope)).containsExactly(SECRET);
    }

    @Test
    void aReadersFileHasTheSecretsOfItsOwnEpochsAlone() throws Exception {
        PolicyKeyEntry pair = folder.keys().rings.policy.getFirst();
        byte[] root = pair.readers().encode();
        List<ReaderKey> issued = issued("eve", "2026-10", NOVEMBER);
        assertThat(issued).hasSize(2);
        for (ReaderKey key : issued) {
            String file = new String(key.encode(), StandardCharsets.ISO_8859_1);
            assertThat(file).doesNotContain(hidden(root));
            for (String epoch : List.of("2026-09", "2026-10", NOVEMBER, DECEMBER, "2027-01", "")) {
                byte[] secret =
                        pair.readers().of(key.policyKey().attributesId(), epoch).encode();
                boolean own = key.label().epochs().contains(epoch);
                assertThat(file.contains(hidden(secret))).as(epoch).isEqualTo(own);
            }
        }
    }

    /** Without the version. */
    private static String hidden(byte[] secret) {
        return new String(secret, 1, secret.length - 1, StandardCharsets.ISO_8859_1);
    }

    /** The naming key of a pair is in the bundle of nobody. */
    @Test
    void aBundleHasTheKeysOfItsEpochsAndNoOtherKeyToSealWith() throws Exception {
        PublicBundle bundle = bundle();
        PolicyKeyEntry pair = folder.keys().rings.policy.getFirst();
        List<String> epochs =
                bundle.epochs().stream().map(PublicBundle.Epoch::name).toList();
        assertThat(epochs).startsWith(NOVEMBER, DECEMBER);
        assertThat(bundle.policyKeys()).isEqualTo(pair.publicKeys(epochs)).doesNotContain(pair.publicKey());
        assertThat(bundle.policyKeys().stream().map(PolicyKey::readers).distinct())
                .hasSize(epochs.size());
    }

    @Test
    void whoeverNamesManyEpochsToTheAuthorityReachesTheWorkLimit() throws Exception {
        PolicyKeyEntry pair = folder.keys().rings.policy.getFirst();
        KemPublicKey own = KemSecretKey.generate(RANDOM).publicKey();
        PolicyKey strangers = PolicyKey.decode(pair.publicKey().encodedAttributes(), own.bytes());
        List<Label> labels = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            StringBuilder text = new StringBuilder("a:x");
            for (int epoch = 0; epoch < 400; epoch++) {
                text.append(" OR a:x@").append(i).append('-').append(epoch);
            }
            labels.add(Label.policy(text.toString()));
        }
        Envelope envelope = seal(NOVEMBER, List.of(strangers), labels.toArray(Label[]::new));
        assertThatThrownBy(() -> folder.keys().opener().open(envelope))
                .isInstanceOfSatisfying(
                        UnopenableEnvelopeException.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.WORK_LIMIT));
    }
}
