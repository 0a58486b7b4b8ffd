package dev.veilgate.index;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.PriorityQueue;

/**
 * The envelopes that a search must look into: those that pass the filter and have a block of one of its targets. Reads postings and a number, no
 * ciphertext.
 */
final class Candidates extends DocIdSetIterator {
    /** The blocks of a target, at the next one. */
    private record Cursor(TargetBlocks target, PostingsEnum documents) {}

    private static final class ByDocument extends PriorityQueue<Cursor> {
        ByDocument(int size) {
            super(size);
        }

        @Override
        protected boolean lessThan(Cursor a, Cursor b) {
            return a.documents.docID() < b.documents.docID();
        }
    }

    /** Takes the blocks of an envelope. */
    interface BlockSink {
        void block(int document, TargetBlocks target) throws IOException;
    }

    private final DocIdSetIterator envelopes;
    private final NumericDocValues blocks;
    private final ByDocument cursors;
    private final long cost;
    private int envelope = -1;

    /** @param envelopes documents of envelopes that pass the filter */
    Candidates(LeafReader segment, DocIdSetIterator envelopes, List<TargetBlocks> targets) throws IOException {
        this.envelopes = envelopes;
        this.blocks = DocValues.getNumeric(segment, BlockFields.BLOCKS);
        this.cursors = new ByDocument(targets.size());
        for (TargetBlocks target : targets) {
            PostingsEnum documents = target.documents(segment);
            documents.nextDoc();
            cursors.add(new Cursor(target, documents));
        }
        this.cost = Math.min(
                envelopes.cost(),
                targets.stream().mapToLong(TargetBlocks::blocks).sum());
    }

    @Override
    public int docID() {
        return envelope;
    }

    @Override
    public int nextDoc() throws IOException {
        return advance(envelope + 1);
    }

    @Override
    public int advance(int target) throws IOException {
        int next = envelopes.advance(target);
        while (next != NO_MORE_DOCS) {
            int first = next - blocksOf(next);
            int block = firstBlockFrom(first);
            if (block < next) {
                break;
            }
            next = block == NO_MORE_DOCS ? NO_MORE_DOCS : envelopes.advance(block);
        }
        envelope = next;
        return next;
    }

    private int blocksOf(int document) throws IOException {
        if (!blocks.advanceExact(document)) {
            throw new IOException("document " + document + " is taken for an envelope and is none");
        }
        return (int) blocks.longValue();
    }

    /** The first block of any target at or after a document. */
    private int firstBlockFrom(int document) throws IOException {
        Cursor top = cursors.top();
        while (top.documents.docID() < document) {
            top.documents.advance(document);
            top = cursors.updateTop();
        }
        return top.documents.docID();
    }

    /** Passes on the blocks of the envelope that this is at; once. */
    void blocks(BlockSink sink) throws IOException {
        Cursor top = cursors.top();
        while (top.documents.docID() < envelope) {
            sink.block(top.documents.docID(), top.target);
            top.documents.nextDoc();
            top = cursors.updateTop();
        }
    }

    @Override
    public long cost() {
        return cost;
    }
}
