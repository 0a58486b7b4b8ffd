package dev.veilgate.pq;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * The submission's known answers for FrodoKEM-976-AES, PQCkemKAT_31296.rsp of the third round: keys, ciphertexts and
 * secrets of 100 seeds, computed again.
 */
class FrodoKem976KatTest {
    private static final int COUNT = 100;
    /** Answers that Bouncy Castle computes, which takes a second for 10. */
    private static final int FEW = 10;

    /** SHA-256 of the first answer, from liboqs, tests/KATs/kem/kats.json. */
    private static final String FIRST = "7e415ab659d0d08d8f43135e1e9d75a8b342f52b65e8326ebf8135521b987615";

    /**
     * SHA-256 of all, from there, and the name by which Git stores the file in the repository of the authors, which is
     * the SHA-1 of "blob", its length and its bytes: eFrodoKEM/KAT/PQCkemKAT_31296.rsp in microsoft/PQCrypto-LWEKE.
     */
    private static final String ALL = "b793bf980f0c44dfd5721d95f432d5addbeaa92913c97b0087310d2581567ee4";

    private static final String GIT_NAME = "6c8b0e6423310e35ae45a141314dfe0436980485";

    @Test
    void answersAreTheSubmissions() throws Exception {
        List<String> byLiboqs = answers(TestLiboqs.load().frodoKem976(), COUNT);
        assertThat(digest("SHA-256", byLiboqs.getFirst())).isEqualTo(FIRST);
        String all = String.join("\n", byLiboqs);
        assertThat(digest("SHA-256", all)).isEqualTo(ALL);
        String file = "# FrodoKEM-976-AES\n\n" + all + "\n";
        assertThat(digest("SHA-1", "blob " + file.length() + "\0" + file)).isEqualTo(GIT_NAME);
        assertThat(answers(PostQuantum.platform().frodoKem976(), FEW)).isEqualTo(byLiboqs.subList(0, FEW));
    }

    private static List<String> answers(Kem kem, int count) throws GeneralSecurityException {
        byte[] entropy = new byte[48];
        for (int i = 0; i < entropy.length; i++) {
            entropy[i] = (byte) i;
        }
        CtrDrbg seeds = new CtrDrbg(entropy);
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] seed = seeds.next(48);
            StringBuilder answer = new StringBuilder("count = ").append(i).append('\n');
            line(answer, "seed", seed);
            answer(answer, kem, new CtrDrbg(seed));
            answers.add(answer.toString());
        }
        return answers;
    }

    private static void answer(StringBuilder answers, Kem kem, CtrDrbg random) throws GeneralSecurityException {
        try (DecapsulationKey key = kem.key(random.next(kem.parameters().seedBytes()))) {
            line(answers, "pk", key.publicKey());
            line(answers, "sk", TestLiboqs.expanded(key));
            EncapsulatedSecret made = kem.encapsulate(
                    key.publicKey(), random.next(kem.parameters().coinsBytes()));
            line(answers, "ct", made.ciphertext());
            line(answers, "ss", made.secret());
            assertThat(key.decapsulate(made.ciphertext())).isEqualTo(made.secret());
        }
    }

    private static void line(StringBuilder answers, String name, byte[] bytes) {
        answers.append(name)
                .append(" = ")
                .append(HexFormat.of().withUpperCase().formatHex(bytes))
                .append('\n');
    }

    private static String digest(String algorithm, String text) throws GeneralSecurityException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.US_ASCII)));
    }

    /** CTR_DRBG of NIST SP 800-90A with AES-256 and no derivation function, as NIST has for known answers. */
    private static final class CtrDrbg {
        private byte[] key = new byte[32];
        private final byte[] counter = new byte[16];

        CtrDrbg(byte[] entropy) throws GeneralSecurityException {
            update(entropy);
        }

        byte[] next(int length) throws GeneralSecurityException {
            byte[] out = blocks(length);
            update(new byte[48]);
            return out;
        }

        private void update(byte[] given) throws GeneralSecurityException {
            byte[] next = blocks(48);
            for (int i = 0; i < next.length; i++) {
                next[i] ^= given[i];
            }
            key = Arrays.copyOf(next, 32);
            System.arraycopy(next, 32, counter, 0, 16);
        }

        private byte[] blocks(int length) throws GeneralSecurityException {
            Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
            aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
            byte[] out = new byte[(length + 15) / 16 * 16];
            for (int from = 0; from < out.length; from += 16) {
                int i = 15;
                while (++counter[i] == 0 && i > 0) {
                    i--;
                }
                System.arraycopy(aes.doFinal(counter), 0, out, from, 16);
            }
            return Arrays.copyOf(out, length);
        }
    }
}
