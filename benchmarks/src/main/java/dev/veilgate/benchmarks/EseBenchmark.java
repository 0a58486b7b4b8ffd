package dev.veilgate.benchmarks;

import dev.veilgate.ese.Ciphertext;
import dev.veilgate.ese.EncryptWithHash;
import dev.veilgate.ese.EsePublicKey;
import dev.veilgate.ese.EseSecretKey;
import dev.veilgate.ese.KeyPair;
import dev.veilgate.ese.RefusedCiphertextException;
import dev.veilgate.ese.Tag;
import dev.veilgate.ese.elgamal.ElGamalEse;
import dev.veilgate.ese.ntru.NtruEse;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Efficiently searchable encryption, which hides no keywords, beside the schemes that do: one keyword sealed, asked for, tested and opened. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class EseBenchmark {
    /** What is under encrypt-with-hash. */
    public enum Instance {
        /** BLS12-381, G1. */
        ELGAMAL,
        /** N = 1024, q = 12289. */
        NTRU
    }

    /** A scheme and its keys, of whatever types. */
    private record Party<P extends EsePublicKey, S extends EseSecretKey<P>>(
            EncryptWithHash<P, S> ese, KeyPair<P, S> keys) {
        static <P extends EsePublicKey, S extends EseSecretKey<P>> Party<P, S> of(EncryptWithHash<P, S> ese) {
            return new Party<>(ese, ese.keyGen());
        }

        Ciphertext encrypt(int word) {
            return ese.encrypt(keys.publicKey(), Corpus.DOMAIN, message(word));
        }

        Tag tag(int word) {
            return ese.tag(keys.publicKey(), Corpus.DOMAIN, message(word));
        }

        byte[] decrypt(Ciphertext ciphertext) throws RefusedCiphertextException {
            return ese.decrypt(keys.secretKey(), Corpus.DOMAIN, ciphertext);
        }
    }

    private static final int RECORDS = 10_000;
    private static final int KEPT = 64;

    /** What is measured. */
    @Param
    public Instance instance = Instance.ELGAMAL;

    private Party<?, ?> party;
    private TreeMap<Tag, Integer> index;
    private Ciphertext[] ciphertexts;
    private Tag[] wanted;
    private int next;

    private static byte[] message(int word) {
        return ("word:w" + word).getBytes(StandardCharsets.UTF_8);
    }

    /** Seals 10,000 records of one keyword each, as the paper does, and indexes them. */
    @Setup
    public void seal() {
        party = switch (instance) {
            case ELGAMAL -> Party.of(ElGamalEse.withDefaults());
            case NTRU -> Party.of(NtruEse.withDefaults());
        };
        index = new TreeMap<>();
        ciphertexts = new Ciphertext[KEPT];
        wanted = new Tag[KEPT];
        for (int i = 0; i < RECORDS; i++) {
            Ciphertext sealed = party.encrypt(i);
            index.put(sealed.tag(), i);
            if (i < KEPT) {
                ciphertexts[i] = sealed;
                wanted[i] = sealed.tag();
            }
        }
    }

    /** A key pair. */
    @Benchmark
    public KeyPair<?, ?> keyGen() {
        return party.ese().keyGen();
    }

    /** One keyword sealed. */
    @Benchmark
    public Ciphertext encrypt() {
        return party.encrypt(next++);
    }

    /** What is asked for: in the place of a trapdoor. */
    @Benchmark
    public Tag tag() {
        return party.tag(next++);
    }

    /** One stored ciphertext against one wanted tag, where there is no index. */
    @Benchmark
    public boolean test() {
        next++;
        return party.ese().test(wanted[next % KEPT], ciphertexts[next / KEPT % KEPT]);
    }

    /** A whole search: one of 10,000 records in an index. */
    @Benchmark
    public @Nullable Integer search() {
        return index.get(wanted[next++ % KEPT]);
    }

    /** One ciphertext opened and checked. */
    @Benchmark
    public byte[] decrypt() throws RefusedCiphertextException {
        return party.decrypt(ciphertexts[next++ % KEPT]);
    }
}
