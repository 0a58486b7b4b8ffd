package dev.veilgate.benchmarks;

import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.pairing.bdop04.Bdop04;
import dev.veilgate.peks.pairing.bdop04.Bdop04IndexSealer;
import dev.veilgate.peks.pairing.zi07.Zi07;
import dev.veilgate.peks.pairing.zi07.Zi07IndexSealer;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Sizes of keys, searchable ciphertexts and trapdoors, as the NTRU-PEKS paper has them in its Table 3 for 192 bits:
 * encodings of ours with all that stands around the numbers. Of a pairing scheme it is a block of one keyword, with
 * its sealed records.
 */
final class PaperSizes {
    /** Name, bytes here, kilobits in the paper. */
    private record Size(String scheme, String parameters, String what, int bytes, String paperKilobits) {}

    private PaperSizes() {}

    /** The rows of {@code paper-sizes.csv}. */
    static List<String> rows() throws IOException {
        List<Size> sizes = new ArrayList<>();
        ntru(NtruParameters.N512_Q24, "lambda 80 N 512", List.of("", "", "", ""), sizes);
        ntru(NtruParameters.N1024_Q27, "lambda 192 N 1024", List.of("27.2", "32", "52", "27"), sizes);
        bco(sizes);
        zi(sizes);
        List<String> rows = new ArrayList<>(List.of("scheme,parameters,what,bytes,kilobits,paper_kilobits"));
        sizes.forEach(size -> rows.add(String.format(
                Locale.ROOT,
                "%s,%s,%s,%d,%.2f,%s",
                size.scheme(),
                size.parameters(),
                size.what(),
                size.bytes(),
                size.bytes() * 8 / 1024.0,
                size.paperKilobits())));
        return rows;
    }

    private static void ntru(NtruParameters parameters, String name, List<String> printed, List<Size> sizes)
            throws IOException {
        Corpus corpus = new Corpus(parameters);
        Keyword word = Corpus.word(0);
        int[] bytes = {
            corpus.keys().publicKey().encode().length,
            corpus.keys().secretKey().encode().length,
            corpus.peks()
                    .encrypt(corpus.keys().publicKey(), Corpus.DOMAIN, word)
                    .encode()
                    .length,
            corpus.peks()
                    .trapdoor(corpus.keys().secretKey(), Corpus.DOMAIN, word, new Corpus.MemoryStore())
                    .bytes()
                    .length
        };
        add("NTRU-PEKS", name, bytes, printed, sizes);
    }

    private static void bco(List<Size> sizes) {
        SecureRandom random = new SecureRandom();
        Bdop04 peks = new Bdop04(random);
        var keys = peks.keyGen();
        int[] bytes = {
            keys.publicKey().encode().length,
            keys.secretKey().encode().length,
            block(Bdop04IndexSealer.oneKeywordPerBlock(keys.publicKey(), random)),
            peks.trapdoor(keys.secretKey(), Corpus.DOMAIN, Corpus.word(0)).bytes().length
        };
        add("BCO", "BLS12-381", bytes, List.of("0.38", "0.19", "0.57", "0.38"), sizes);
    }

    private static void zi(List<Size> sizes) {
        SecureRandom random = new SecureRandom();
        Zi07 peks = new Zi07(random);
        var keys = peks.keyGen();
        int[] bytes = {
            keys.publicKey().encode().length,
            keys.secretKey().encode().length,
            block(Zi07IndexSealer.oneKeywordPerBlock(keys.publicKey(), random)),
            peks.trapdoor(keys.secretKey(), Corpus.DOMAIN, Corpus.word(0)).bytes().length
        };
        add("ZI", "BLS12-381", bytes, List.of("0.76", "0.19", "0.89", "0.57"), sizes);
    }

    private static int block(IndexSealer sealer) {
        return sealer.seal(Corpus.DOMAIN, Corpus.MESSAGE, 1, List.of(Posting.of(Corpus.word(0), 0)))
                .getFirst()
                .payload()
                .length;
    }

    private static void add(String scheme, String parameters, int[] bytes, List<String> printed, List<Size> sizes) {
        String[] what = {"public key", "private key", "searchable ciphertext", "trapdoor"};
        for (int i = 0; i < what.length; i++) {
            sizes.add(new Size(scheme, parameters, what[i], bytes[i], printed.get(i)));
        }
    }
}
