package dev.veilgate.sse;

import java.util.List;
import java.util.TreeSet;

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
        var sorted = new TreeSet<DocumentId>();
        ids.forEach(sorted::add);
        return new Hits(sorted.stream().map(id -> new Hit(id, 0)).toList(), List.of());
    }

    /** The documents' ids, in their order. */
    public List<DocumentId> ids() {
        return documents.stream().map(Hit::id).toList();
    }
}
