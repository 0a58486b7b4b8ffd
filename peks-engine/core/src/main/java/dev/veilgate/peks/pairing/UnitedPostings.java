package dev.veilgate.peks.pairing;

import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The keywords of a message, each once, in random order: which of them share a block says nothing about their order. */
public final class UnitedPostings {
    private UnitedPostings() {}

    /** What a scheme makes of the keywords of one block. */
    @FunctionalInterface
    public interface BlockSealer {
        /** @param keywords as many as the block has slots, or fewer */
        IndexBlock seal(SlotForm form, List<Map.Entry<Keyword, RecordSet>> keywords, CoinStream coins);
    }

    /**
     * The blocks of a message.
     *
     * @param recordCount records of the message, 1 to {@link RecordSet#MAX_RECORDS}
     * @param perBlock    most keywords of a block, which is padded to a multiple of 16 slots; 1 for blocks of one slot
     * @param random      32 bytes are drawn, of which all coins come
     * @throws IllegalArgumentException for another recordCount, and for a posting beyond it
     */
    public static List<IndexBlock> sealed(
            int recordCount, List<Posting> postings, int perBlock, SecureRandom random, BlockSealer sealer) {
        List<IndexBlock> blocks = new ArrayList<>();
        try (CoinStream coins = CoinStream.fresh(random)) {
            for (List<Map.Entry<Keyword, RecordSet>> keywords : shuffled(recordCount, postings, perBlock, coins)) {
                int slots = perBlock == 1 ? 1 : SlotForm.padded(keywords.size());
                blocks.add(sealer.seal(new SlotForm(slots, recordCount), keywords, coins));
            }
        }
        return blocks;
    }

    private static List<List<Map.Entry<Keyword, RecordSet>>> shuffled(
            int recordCount, List<Posting> postings, int perBlock, CoinStream coins) {
        List<Map.Entry<Keyword, RecordSet>> keywords =
                new ArrayList<>(Posting.united(recordCount, postings).entrySet());
        coins.shuffle(keywords);
        List<List<Map.Entry<Keyword, RecordSet>>> blocks = new ArrayList<>();
        for (int from = 0; from < keywords.size(); from += perBlock) {
            blocks.add(keywords.subList(from, Math.min(from + perBlock, keywords.size())));
        }
        return blocks;
    }
}
