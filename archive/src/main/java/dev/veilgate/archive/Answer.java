package dev.veilgate.archive;

import dev.veilgate.sse.DocumentId;
import java.util.List;

/**
 * Result of a search in an archive.
 *
 * @param documents in the order of the scheme's answer: by id, or the best first
 * @param findings  what does not hold of the server's answer, in plain words; empty of an honest server
 * @param traffic   what was said between owner and server for it
 */
public record Answer(List<Found> documents, List<String> findings, TrafficCount traffic) {
    /** Copies. */
    public Answer {
        documents = List.copyOf(documents);
        findings = List.copyOf(findings);
    }

    /**
     * A document that was found.
     *
     * @param score how well it answers, where the question asks for an order; else 0
     */
    public record Found(DocumentId id, String name, double score) {
        /** Without the name, which is not for logs. */
        @Override
        public String toString() {
            return "Found[" + id + "]";
        }
    }
}
