package dev.veilgate.index;

import dev.veilgate.query.Expression;
import dev.veilgate.query.PreparedSearch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;

/**
 * The envelopes of a segment in which a search may find something, where earlier searches have asked so much that no
 * other can have it: those with a block in which a term is that every answer needs. As many steps as there are such
 * blocks; the segment's other blocks and envelopes are not looked at.
 */
final class RememberedEnvelopes extends DocIdSetIterator {
    private final NumericDocValues blocks;
    private final List<Answers> answers;
    private int envelope = -1;

    /** @param answers of {@link #answers} */
    RememberedEnvelopes(LeafReader segment, List<Answers> answers) throws IOException {
        this.blocks = DocValues.getNumeric(segment, BlockFields.BLOCKS);
        this.answers = answers;
    }

    /** Answers that tell them; empty if too little was asked in the segment. */
    static Optional<List<Answers>> answers(LeafReader segment, Expression expression, List<TargetBlocks> targets)
            throws IOException {
        List<Answers> answers = new ArrayList<>();
        return needed(segment, expression, targets, answers) ? Optional.of(answers) : Optional.empty();
    }

    /** Adds answers of terms one of which every record that is found has; false if they are not complete. */
    private static boolean needed(
            LeafReader segment, Expression expression, List<TargetBlocks> targets, List<Answers> answers)
            throws IOException {
        switch (expression) {
            case Expression.Term term -> {
                return ofTerm(segment, term.index(), targets, answers);
            }
            case Expression.Or or -> {
                for (Expression member : or.of()) {
                    if (!needed(segment, member, targets, answers)) {
                        return false;
                    }
                }
                return true;
            }
            case Expression.And and -> {
                for (Expression member : and.of()) {
                    List<Answers> its = new ArrayList<>();
                    if (!(member instanceof Expression.Not) && needed(segment, member, targets, its)) {
                        answers.addAll(its);
                        return true;
                    }
                }
                return false;
            }
            case Expression.Not _ -> throw new IllegalStateException(Expression.ANCHOR);
        }
    }

    /** Tells if every block of the segment was asked for every term, so that no Test can be needed. */
    static boolean all(LeafReader segment, PreparedSearch search, List<TargetBlocks> targets) throws IOException {
        for (int term = 0; term < search.request().terms().size(); term++) {
            if (!ofTerm(segment, term, targets, new ArrayList<>())) {
                return false;
            }
        }
        return true;
    }

    private static boolean ofTerm(LeafReader segment, int term, List<TargetBlocks> targets, List<Answers> answers)
            throws IOException {
        for (TargetBlocks target : targets) {
            for (TargetBlocks.Tried tried : target.byTerm().get(term)) {
                Answers known = tried.answers();
                if (known == null || !known.isComplete(target.blocks(), segment, target::documents)) {
                    return false;
                }
                answers.add(known);
            }
        }
        return true;
    }

    @Override
    public int docID() {
        return envelope;
    }

    @Override
    public int nextDoc() throws IOException {
        return advance(envelope + 1);
    }

    /** An envelope's blocks are the documents before it. */
    @Override
    public int advance(int target) throws IOException {
        int next = target >= NO_MORE_DOCS ? NO_MORE_DOCS : blocks.advance(target);
        if (next != NO_MORE_DOCS) {
            int match = nextMatch(next - (int) blocks.longValue());
            if (match > next) {
                next = match == NO_MORE_DOCS ? NO_MORE_DOCS : blocks.advance(match);
            }
        }
        envelope = next;
        return next;
    }

    private int nextMatch(int from) {
        int next = NO_MORE_DOCS;
        for (Answers each : answers) {
            next = Math.min(next, each.nextMatch(from));
        }
        return next;
    }

    @Override
    public long cost() {
        return 1; // it leads
    }
}
