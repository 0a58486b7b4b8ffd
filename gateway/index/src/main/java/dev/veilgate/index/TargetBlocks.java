package dev.veilgate.index;

import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.query.BlockTarget;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.PreparedSearch.Prepared;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one target in one segment, and the trapdoors to test them with. Immutable.
 *
 * @param byTerm the trapdoors of each term of the search; none for a term that has none for this target
 * @param blocks how many
 */
record TargetBlocks(IndexScheme scheme, List<List<Tried>> byTerm, BytesRef term, TermState state, int blocks) {
    /** A trapdoor, and what is remembered of it in this segment. */
    record Tried(PreparedTrapdoor trapdoor, @Nullable Answers answers) {}

    /** Those targets of a search that the segment has blocks of. */
    static List<TargetBlocks> in(LeafReader segment, PreparedSearch search, AnswerCache cache) throws IOException {
        Terms terms = segment.terms(BlockFields.TARGET);
        if (terms == null) {
            return List.of();
        }
        TermsEnum at = terms.iterator();
        List<TargetBlocks> found = new ArrayList<>();
        for (Map.Entry<BlockTarget, List<Prepared>> entry : search.byTarget().entrySet()) {
            BytesRef term = BlockFields.term(search.request().tenant(), entry.getKey());
            if (at.seekExact(term)) {
                List<List<Tried>> byTerm = Stream.generate(() -> (List<Tried>) new ArrayList<Tried>(0))
                        .limit(search.request().terms().size())
                        .toList();
                for (Prepared prepared : entry.getValue()) {
                    byTerm.get(prepared.term())
                            .add(new Tried(prepared.trapdoor(), cache.of(segment, term, prepared.key())));
                }
                found.add(new TargetBlocks(search.scheme(entry.getKey()), byTerm, term, at.termState(), at.docFreq()));
            }
        }
        return found;
    }

    /** The blocks' documents, from the first one on. */
    PostingsEnum documents(LeafReader segment) throws IOException {
        TermsEnum at = segment.terms(BlockFields.TARGET).iterator();
        at.seekExact(term, state);
        return at.postings(null, PostingsEnum.NONE);
    }
}
