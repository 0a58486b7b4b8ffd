package dev.veilgate.benchmarks;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.pairing.bdop04.Bdop04;
import dev.veilgate.peks.pairing.bdop04.Bdop04IndexScheme;
import dev.veilgate.peks.pairing.bdop04.Bdop04IndexSealer;
import dev.veilgate.peks.pairing.zi07.Zi07;
import dev.veilgate.peks.pairing.zi07.Zi07IndexScheme;
import dev.veilgate.peks.pairing.zi07.Zi07IndexSealer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A pairing scheme over BLS12-381, as the product runs it with one slot a block: a Test finds the key of the posting
 * list, too.
 *
 * @param name     as the paper has it
 * @param paper    Test as its search of 10,000 records gives it
 * @param goal     of this project
 * @param scheme   the gateway's side
 * @param sealer   of one keyword a block
 * @param trapdoor of the authority
 * @param keys     makes an authority's keys
 */
record PairingPaperScheme(
        String name,
        Millis paper,
        Millis goal,
        IndexScheme scheme,
        IndexSealer sealer,
        Function<Keyword, ScopedTrapdoor> trapdoor,
        Supplier<?> keys)
        implements PaperScheme {
    /** The paper: 10,000 records in 400 s. */
    private static final double BCO_TEST_MILLIS = 40;
    /** The same: in 1,100 s. */
    private static final double ZI_TEST_MILLIS = 110;

    /** BCO and ZI, with keys. */
    static List<PairingPaperScheme> all() {
        return List.of(bdop04(new SecureRandom()), zi07(new SecureRandom()));
    }

    private static PairingPaperScheme bdop04(SecureRandom random) {
        Bdop04 peks = new Bdop04(random);
        var keys = peks.keyGen();
        return new PairingPaperScheme(
                "BCO",
                new Millis(BCO_TEST_MILLIS, Double.NaN, Double.NaN),
                new Millis(0.8, Double.NaN, 0.3),
                new Bdop04IndexScheme(),
                Bdop04IndexSealer.oneKeywordPerBlock(keys.publicKey(), random),
                word -> peks.trapdoor(keys.secretKey(), Corpus.DOMAIN, word),
                peks::keyGen);
    }

    private static PairingPaperScheme zi07(SecureRandom random) {
        Zi07 peks = new Zi07(random);
        var keys = peks.keyGen();
        return new PairingPaperScheme(
                "ZI",
                new Millis(ZI_TEST_MILLIS, Double.NaN, Double.NaN),
                new Millis(1.2, Double.NaN, Double.NaN),
                new Zi07IndexScheme(),
                Zi07IndexSealer.oneKeywordPerBlock(keys.publicKey(), random),
                word -> peks.trapdoor(keys.secretKey(), Corpus.DOMAIN, word),
                peks::keyGen);
    }

    @Override
    public String parameters() {
        return "BLS12-381";
    }

    @Override
    public List<StoredBlock> blocks(int count) {
        List<StoredBlock> blocks = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                for (IndexBlock block : seal(Corpus.word(i))) {
                    blocks.add(scheme.storedForm(block, Corpus.MESSAGE));
                }
            }
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
        return blocks;
    }

    private List<IndexBlock> seal(Keyword word) {
        return sealer.seal(Corpus.DOMAIN, Corpus.MESSAGE, 1, List.of(Posting.of(word, 0)));
    }

    @Override
    public PreparedTrapdoor wrongTrapdoor(int i) {
        try {
            return scheme.prepare(trapdoor.apply(Keyword.text("absent", "a" + i)));
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Object encrypt(Keyword word) {
        return seal(word);
    }

    @Override
    public Function<Keyword, Object> trapdoors() {
        return trapdoor::apply;
    }

    @Override
    public Object keyGen() {
        return keys.get();
    }
}
