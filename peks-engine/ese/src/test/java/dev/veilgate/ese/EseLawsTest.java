package dev.veilgate.ese;

import static dev.veilgate.ese.EseUnderTest.DOMAIN;
import static dev.veilgate.ese.EseUnderTest.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.random.TestSeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the paper asks of efficiently searchable encryption, and the life of a key. */
class EseLawsTest {
    private static final TestSeed SEED = TestSeed.of(EseLawsTest.class);
    private static final List<EseUnderTest<?, ?>> INSTANCES = EseUnderTest.all(SEED);

    private static List<EseUnderTest<?, ?>> instances() {
        return INSTANCES;
    }

    @ParameterizedTest
    @MethodSource("instances")
    void messagesOfAllLengthsComeBack(EseUnderTest<?, ?> instance) throws Exception {
        SplittableRandom random = SEED.random("lengths");
        for (int length : new int[] {1, 2, 31, 32, 33, 127, 128, 129, 1000, 4095, EncryptWithHash.MAX_MESSAGE_BYTES}) {
            byte[] message = new byte[length];
            random.nextBytes(message);
            Ciphertext sent = instance.encrypt(DOMAIN, message);
            assertThat(sent.messageBytes()).isEqualTo(length);
            assertThat(sent.encode()).hasSize(4 + instance.kem().encapsulationBytes() + length);
            Ciphertext received = instance.ese().decode(sent.encode());
            assertThat(received).isEqualTo(sent).hasSameHashCodeAs(sent).hasToString("Ciphertext[hidden]");
            assertThat(instance.decrypt(DOMAIN, received)).isEqualTo(message);
        }
        for (int length : new int[] {0, EncryptWithHash.MAX_MESSAGE_BYTES + 1}) {
            assertThatThrownBy(() -> instance.encrypt(DOMAIN, new byte[length]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Both of the paper's conditions: F(x) = G(E(x)), and no two messages share a tag. */
    @ParameterizedTest
    @MethodSource("instances")
    void ciphertextsAndTagsAreEqualIfAndOnlyIfMessagesAre(EseUnderTest<?, ?> instance) {
        SplittableRandom random = SEED.random("equal");
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            byte[] message = new byte[1 + random.nextInt(2)];
            message[message.length - 1] = (byte) random.nextInt(4);
            messages.add(message);
        }
        List<Ciphertext> sent =
                messages.stream().map(m -> instance.encrypt(DOMAIN, m)).toList();
        int equal = 0;
        for (int i = 0; i < sent.size(); i++) {
            Tag wanted = tag(instance, messages.get(i));
            for (int j = 0; j < sent.size(); j++) {
                boolean same = Arrays.equals(messages.get(i), messages.get(j));
                equal += same ? 1 : 0;
                assertThat(sent.get(i).equals(sent.get(j))).isEqualTo(same);
                assertThat(instance.ese().test(wanted, sent.get(j))).isEqualTo(same);
            }
        }
        assertThat(equal).isBetween(sent.size() + 1, sent.size() * sent.size() - 1); // of both kinds
    }

    private static <P extends EsePublicKey, S extends EseSecretKey<P>> Tag tag(
            EseUnderTest<P, S> instance, byte[] message) {
        return instance.ese().tag(instance.keys().publicKey(), DOMAIN, message);
    }

    @ParameterizedTest
    @MethodSource("instances")
    void anOrdinaryIndexFindsThem(EseUnderTest<?, ?> instance) throws MalformedEncodingException {
        TreeMap<Tag, Integer> index = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            index.put(instance.encrypt("word " + i).tag(), i);
        }
        assertThat(index).hasSize(20);
        for (int i = 0; i < 20; i++) {
            Tag wanted = Tag.decode(tag(instance, message("word " + i)).encode());
            assertThat(index).containsEntry(wanted, i);
            assertThat(wanted).hasToString("Tag[hidden]");
        }
        assertThat(index).doesNotContainKey(tag(instance, message("word 20")));
    }

    @ParameterizedTest
    @MethodSource("instances")
    void keysAndDomainsSeparate(EseUnderTest<?, ?> instance) {
        List<KeywordDomain> domains = List.of(
                DOMAIN,
                new KeywordDomain("acme", "plant-7", "2026-12"),
                new KeywordDomain("acme", "plant-8", "2026-11"),
                new KeywordDomain("acmf", "plant-7", "2026-11"),
                new KeywordDomain("acmep", "lant-7", "2026-11"), // the same letters
                new KeywordDomain("acme", "plant-72", "026-11"));
        List<Ciphertext> sent = domains.stream()
                .map(domain -> instance.encrypt(domain, message("error")))
                .toList();
        assertThat(sent).doesNotHaveDuplicates();
        assertThat(sent.stream().map(Ciphertext::tag)).doesNotHaveDuplicates();
        for (Ciphertext ciphertext : sent.subList(1, sent.size())) {
            assertThatThrownBy(() -> instance.decrypt(DOMAIN, ciphertext))
                    .isInstanceOf(RefusedCiphertextException.class);
        }
        otherKey(instance, sent.getFirst());
    }

    private static <P extends EsePublicKey, S extends EseSecretKey<P>> void otherKey(
            EseUnderTest<P, S> instance, Ciphertext first) {
        EncryptWithHash<P, S> ese = instance.ese();
        KeyPair<P, S> other = instance.otherKeys();
        assertThat(ese.encrypt(other.publicKey(), DOMAIN, message("error")))
                .isNotEqualTo(first)
                .extracting(Ciphertext::tag)
                .isNotEqualTo(first.tag());
        assertThatThrownBy(() -> ese.decrypt(other.secretKey(), DOMAIN, first))
                .isInstanceOf(RefusedCiphertextException.class);
    }

    @ParameterizedTest
    @MethodSource("instances")
    void keysAreErasedAndComparedByValue(EseUnderTest<?, ?> instance) throws Exception {
        lifeOfAKey(instance);
    }

    private static <P extends EsePublicKey, S extends EseSecretKey<P>> void lifeOfAKey(EseUnderTest<P, S> instance)
            throws Exception {
        P publicKey = instance.keys().publicKey();
        byte[] encoded = instance.keys().secretKey().encode();
        S key = instance.secretKeys().decode(encoded);
        S same = instance.secretKeys().decode(encoded);
        assertThat(key)
                .isEqualTo(same)
                .hasSameHashCodeAs(same)
                .isNotEqualTo(instance.otherKeys().secretKey());
        assertThat(key.encode()).isEqualTo(encoded);
        assertThat(key.publicKey())
                .isEqualTo(publicKey)
                .isEqualTo(instance.publicKeys().decode(publicKey.encode()))
                .hasSameHashCodeAs(publicKey)
                .isNotEqualTo(instance.otherKeys().publicKey());
        Ciphertext sent = instance.ese().encrypt(key.publicKey(), DOMAIN, message("error"));
        assertThat(sent).isEqualTo(instance.encrypt("error")); // of a decoded key
        assertThat(instance.ese().decrypt(key, DOMAIN, sent)).isEqualTo(message("error"));
        key.close();
        assertThat(key).isNotEqualTo(same).isEqualTo(key).hasToString("SecretKey[hidden, " + publicKey.id() + "]");
        assertThat(same).isNotEqualTo(key);
        assertThatThrownBy(key::encode).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> instance.ese().decrypt(key, DOMAIN, sent)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @MethodSource("instances")
    void ciphertextsOfTheOtherInstanceAreRefused(EseUnderTest<?, ?> instance) {
        for (EseUnderTest<?, ?> other : INSTANCES) {
            if (other == instance) {
                continue;
            }
            Ciphertext foreign = other.encrypt("error");
            assertThatThrownBy(() -> instance.decrypt(DOMAIN, foreign)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> instance.ese().decode(foreign.encode()))
                    .isInstanceOf(MalformedEncodingException.class)
                    .hasMessage("ciphertext.instance: must be " + instance.kem().code());
        }
    }
}
