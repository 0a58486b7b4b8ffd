package dev.veilgate.ese;

import static dev.veilgate.ese.EseUnderTest.DOMAIN;
import static dev.veilgate.ese.EseUnderTest.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What everybody can do by design, with public data alone, and what nobody can. */
class EseAttackTest {
    private static final TestSeed SEED = TestSeed.of(EseAttackTest.class);
    private static final List<EseUnderTest<?, ?>> INSTANCES = EseUnderTest.all(SEED);
    private static final List<String> DICTIONARY =
            List.of("error", "warning", "login failed", "restart", "disk full", "overheated", "door open", "idle");

    private static List<EseUnderTest<?, ?>> instances() {
        return INSTANCES;
    }

    /** Not prevented: this is why the gateway does not use it. */
    @ParameterizedTest
    @MethodSource("instances")
    void whoHasThePublicKeyAloneReadsEveryMessageOfADictionary(EseUnderTest<?, ?> instance)
            throws MalformedEncodingException {
        SplittableRandom random = SEED.random("victims");
        int[] secret = random.ints(12, 0, DICTIONARY.size()).toArray();
        List<byte[]> stored = Arrays.stream(secret)
                .mapToObj(i -> instance.encrypt(DICTIONARY.get(i)).encode())
                .toList();
        Map<Tag, String> dictionary =
                dictionary(instance, instance.keys().publicKey().encode());
        for (int i = 0; i < secret.length; i++) {
            Tag seen = instance.ese().decode(stored.get(i)).tag();
            assertThat(dictionary).containsEntry(seen, DICTIONARY.get(secret[i]));
        }
    }

    /** One encryption a word, for all ciphertexts that will ever be. */
    private static <P extends EsePublicKey, S extends EseSecretKey<P>> Map<Tag, String> dictionary(
            EseUnderTest<P, S> instance, byte[] publicKey) throws MalformedEncodingException {
        P key = instance.publicKeys().decode(publicKey);
        Map<Tag, String> words = new HashMap<>();
        for (String word : DICTIONARY) {
            words.put(instance.ese().tag(key, DOMAIN, message(word)), word);
        }
        return words;
    }

    /** Not prevented either, and it needs no key: counting the ciphertexts counts the messages. */
    @ParameterizedTest
    @MethodSource("instances")
    void frequenciesAreThoseOfTheMessages(EseUnderTest<?, ?> instance) {
        int[] times = {9, 5, 3, 1};
        Map<Tag, Long> seen = IntStream.range(0, times.length)
                .boxed()
                .flatMap(i -> Stream.generate(
                                () -> instance.encrypt(DICTIONARY.get(i)).tag())
                        .limit(times[i]))
                .collect(Collectors.groupingBy(tag -> tag, Collectors.counting()));
        assertThat(seen.values()).containsExactlyInAnyOrder(9L, 5L, 3L, 1L);
    }

    /** Every byte of a ciphertext counts. */
    @ParameterizedTest
    @MethodSource("instances")
    void alteredCiphertextsAreRefused(EseUnderTest<?, ?> instance) {
        byte[] sent = instance.encrypt("login failed").encode();
        int wellFormed = 0;
        int step = sent.length > 500 ? 23 : 1;
        for (int at = 0; at < sent.length; at += at < 8 || at > sent.length - 16 ? 1 : step) {
            for (int bit : new int[] {0, 3, 7}) {
                byte[] changed = sent.clone();
                changed[at] ^= (byte) (1 << bit);
                Ciphertext taken;
                try {
                    taken = instance.ese().decode(changed);
                } catch (MalformedEncodingException refused) {
                    continue;
                }
                wellFormed++;
                assertThatThrownBy(() -> instance.decrypt(DOMAIN, taken))
                        .as("byte %d bit %d", at, bit)
                        .isInstanceOf(RefusedCiphertextException.class);
            }
        }
        assertThat(wellFormed).isGreaterThan(30);
    }

    /** Parts of two honest ciphertexts, and messages of other lengths. */
    @ParameterizedTest
    @MethodSource("instances")
    void mixedCiphertextsAreRefused(EseUnderTest<?, ?> instance) {
        Ciphertext one = instance.encrypt("error 1");
        Ciphertext two = instance.encrypt("error 2");
        int code = instance.kem().code();
        List<Ciphertext> forged = List.of(
                new Ciphertext(code, one.encapsulation(), two.masked()),
                new Ciphertext(code, two.encapsulation(), one.masked()),
                new Ciphertext(code, one.encapsulation(), Arrays.copyOf(one.masked(), 6)),
                new Ciphertext(code, one.encapsulation(), Arrays.copyOf(one.masked(), 8)));
        for (Ciphertext ciphertext : forged) {
            assertThatThrownBy(() -> instance.decrypt(DOMAIN, ciphertext))
                    .isInstanceOf(RefusedCiphertextException.class);
        }
    }

    /** Round the check: whoever chooses the coins himself makes a second ciphertext that the algebra would open. */
    @ParameterizedTest
    @MethodSource("instances")
    void aCiphertextWithOtherCoinsOpensInTheAlgebraAndIsRefused(EseUnderTest<?, ?> instance) {
        otherCoins(instance);
    }

    private static <P extends EsePublicKey, S extends EseSecretKey<P>> void otherCoins(EseUnderTest<P, S> instance) {
        SeededKem<P, S> kem = instance.kem();
        SeededKem.Encapsulated made = kem.encapsulate(instance.keys().publicKey(), new byte[SeededKem.SEED_BYTES]);
        assertThat(kem.decapsulate(instance.keys().secretKey(), made.encapsulation()))
                .isEqualTo(made.key());
        byte[] masked = PlainEwh.masked(message("error"), made.key());
        assertThatThrownBy(() -> instance.decrypt(DOMAIN, new Ciphertext(kem.code(), made.encapsulation(), masked)))
                .isInstanceOf(RefusedCiphertextException.class);
    }
}
