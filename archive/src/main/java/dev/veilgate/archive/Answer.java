package dev.veilgate.archive;

import dev.veilgate.sse.DocumentId;
import java.util.List;
import java.util.Optional;

/**
 * Result of a search in an archive.
 *
 * @param count     of all documents that answer
 * @param documents the first of them: by id, the last added first, or the best first
 * @param findings  what does not hold of the server's answer, in plain words; empty of an honest server
 * @param traffic   what was said between owner and server for it
 */
public record Answer(long count, List<Found> documents, List<String> findings, TrafficCount traffic) {
    /** Copies. */
    public Answer {
        documents = List.copyOf(documents);
        findings = List.copyOf(findings);
    }

    /**
     * A document that was found.
     *
     * @param id    by which a server knows it, if one does
     * @param name  by which its owner knows it
     * @param place of its first byte in the file that it is a part of; else 0
     * @param score how well it answers, where the question asks for an order; else 0
     */
    public record Found(Optional<DocumentId> id, String name, long place, double score) {
        /** Without the name, which is not for logs. */
        @Override
        public String toString() {
            return "Found[" + id + "]";
        }
    }
}
