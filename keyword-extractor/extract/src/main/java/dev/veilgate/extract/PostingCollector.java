package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.RecordSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * From the keywords of the records of a batch to its posting lists: each keyword once, with the records that contain it. For one thread; used again after
 * {@link #finish}.
 */
public final class PostingCollector {
    /** The records of a keyword, least significant bit first. */
    private static final class Records {
        final Keyword keyword;
        final long[] bits = new long[RecordSet.MAX_RECORDS / Long.SIZE];

        Records(Keyword keyword) {
            this.keyword = keyword;
        }
    }

    private final Map<Keyword, Records> byKeyword = new HashMap<>(2048);
    private final List<Records> inOrder = new ArrayList<>(1024);

    /**
     * Adds a record's keywords.
     *
     * @param ordinal  the record's place in the batch, 0 to 255
     * @param keywords may hold a keyword twice
     * @throws IllegalArgumentException if the ordinal is out of range
     */
    public void add(int ordinal, List<Keyword> keywords) {
        for (int i = 0; i < keywords.size(); i++) {
            add(ordinal, keywords.get(i));
        }
    }

    /** Adds one keyword of a record. */
    public void add(int ordinal, Keyword keyword) {
        if (ordinal < 0 || ordinal >= RecordSet.MAX_RECORDS) {
            throw new IllegalArgumentException("record ordinals are 0 to " + (RecordSet.MAX_RECORDS - 1));
        }
        Records records = byKeyword.get(keyword);
        if (records == null) {
            records = new Records(keyword);
            byKeyword.put(keyword, records);
            inOrder.add(records);
        }
        records.bits[ordinal >> 6] |= 1L << ordinal;
    }

    /** Distinct keywords so far. */
    public int size() {
        return inOrder.size();
    }

    /** The posting lists, in the order of the keywords' first occurrence; the collector is empty afterwards. */
    public List<Posting> finish() {
        List<Posting> postings = new ArrayList<>(inOrder.size());
        byte[] bitmap = new byte[RecordSet.MAX_RECORDS / 8];
        ByteBuffer longs = ByteBuffer.wrap(bitmap).order(ByteOrder.LITTLE_ENDIAN);
        for (Records records : inOrder) {
            for (int i = 0; i < records.bits.length; i++) {
                longs.putLong(8 * i, records.bits[i]);
            }
            postings.add(new Posting(records.keyword, RecordSet.fromBitmap(bitmap, RecordSet.MAX_RECORDS)));
        }
        byKeyword.clear();
        inOrder.clear();
        return postings;
    }
}
