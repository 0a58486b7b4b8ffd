package dev.veilgate.sse;

import java.util.ArrayList;
import java.util.List;

/**
 * Result of a search.
 *
 * @param documents each once; ascending by id, or the best first where the question asks for an order
 * @param findings  what does not hold of the answer, in plain words: entries that are missing or altered. Empty
 *                  of an honest server; what was found stands in spite of them
 */
public record Hits(List<Hit> documents, List<String> findings) {
    /**
     * A document that was found.
     *
     * @param score how well it answers, where the question asks for an order; else 0
     */
    public record Hit(DocumentId id, double score) {}

    /** Copies. */
    public Hits {
        documents = List.copyOf(documents);
        findings = List.copyOf(findings);
    }

    /** Documents without an order of their own, each once, and no finding. */
    public static Hits of(Iterable<DocumentId> ids) {
        List<DocumentId> sorted = new ArrayList<>();
        ids.forEach(sorted::add);
        sorted.sort(null);
        List<Hit> hits = new ArrayList<>(sorted.size());
        for (int i = 0; i < sorted.size(); i++) {
            if (i == 0 || !sorted.get(i).equals(sorted.get(i - 1))) {
                hits.add(new Hit(sorted.get(i), 0));
            }
        }
        return new Hits(hits, List.of());
    }

    /** The documents' ids, in their order. */
    public List<DocumentId> ids() {
        return documents.stream().map(Hit::id).toList();
    }
}
