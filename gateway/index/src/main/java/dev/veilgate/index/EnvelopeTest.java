package dev.veilgate.index;

import dev.veilgate.index.TargetBlocks.Tried;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.query.PreparedSearch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The expensive part of a search: Test on the blocks of one envelope after another, as far as the answer can still matter. */
final class EnvelopeTest {
    private static final RecordSet NONE = RecordSet.of();

    /** A block of the envelope at hand; used again for the next envelope, whose documents are behind. */
    private static final class Block {
        final BlockValues values;
        int document;
        TargetBlocks target;
        boolean tested;
        boolean remembered;

        Block(LeafReader segment, int document, TargetBlocks target) throws IOException {
            this.values = new BlockValues(segment);
            this.document = document;
            this.target = target;
        }
    }

    private final LeafReader segment;
    private final PreparedSearch search;
    private final SearchMonitor monitor;
    private final boolean remembered;
    private final NumericDocValues recordCounts;
    private final List<Block> blocks = new ArrayList<>();
    private final @Nullable RecordSet[] ofTerm;
    private int count;

    /** @param remembered whether all blocks of the segment are counted as remembered already */
    EnvelopeTest(LeafReader segment, PreparedSearch search, SearchMonitor monitor, boolean remembered)
            throws IOException {
        this.segment = segment;
        this.search = search;
        this.monitor = monitor;
        this.remembered = remembered;
        this.recordCounts = DocValues.getNumeric(segment, BlockFields.RECORDS);
        this.ofTerm = new RecordSet[search.request().terms().size()];
    }

    /** The records that the search finds in the envelope that {@code candidates} is at. */
    RecordSet records(Candidates candidates) throws IOException {
        monitor.checkCancelled();
        count = 0;
        Arrays.fill(ofTerm, null);
        candidates.blocks(this::add);
        if (!recordCounts.advanceExact(candidates.docID())) {
            throw new IOException("document " + candidates.docID() + " is taken for an envelope and is none");
        }
        try {
            return search.evaluate(this::recordsOf, (int) recordCounts.longValue());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            int tested = count(true);
            monitor.count(tested, remembered ? -tested : count(false));
        }
    }

    private void add(int document, TargetBlocks target) throws IOException {
        if (count == blocks.size()) {
            blocks.add(new Block(segment, document, target));
        }
        Block block = blocks.get(count++);
        block.document = document;
        block.target = target;
        block.tested = false;
        block.remembered = false;
    }

    private int count(boolean tested) {
        int blocksOfThat = 0;
        for (Block block : blocks.subList(0, count)) {
            blocksOfThat += (tested ? block.tested : block.remembered && !block.tested) ? 1 : 0;
        }
        return blocksOfThat;
    }

    private RecordSet recordsOf(int term) {
        RecordSet found = ofTerm[term];
        if (found == null) {
            found = NONE;
            try {
                for (Block block : blocks.subList(0, count)) {
                    for (Tried tried : block.target.byTerm().get(term)) {
                        found = union(found, answer(block, tried));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            ofTerm[term] = found;
        }
        return found;
    }

    private RecordSet answer(Block block, Tried tried) throws IOException {
        Answers answers = tried.answers();
        RecordSet records = answers == null ? null : answers.get(block.document);
        if (records != null) {
            block.remembered = true;
            return records;
        }
        monitor.checkCancelled();
        records = test(block, tried);
        block.tested = true;
        if (answers != null) {
            answers.put(block.document, records);
        }
        return records;
    }

    private static RecordSet test(Block block, Tried tried) throws IOException {
        IndexScheme scheme = block.target.scheme();
        BytesRef hot = block.values.hot(block.document);
        if (!scheme.mayMatch(tried.trapdoor(), hot.bytes, hot.offset)) {
            return NONE;
        }
        RecordSet records = NONE;
        for (SlotMatch match : scheme.matchSurvivor(tried.trapdoor(), block.values.stored(block.document))) {
            records = union(records, match.records());
        }
        return records;
    }

    private static RecordSet union(RecordSet a, RecordSet b) {
        return a.isEmpty() ? b : b.isEmpty() ? a : a.union(b);
    }
}
