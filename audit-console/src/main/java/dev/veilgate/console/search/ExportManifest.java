package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.issuing.InclusionProof;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the authority signs of an export; docs/console.md describes it, {@code veilgate verify --export} reads it.
 *
 * @param time       when the export began
 * @param incomplete why it is not all that was asked for; none if it is
 * @param recheck    how the recheck of what was not found stood then; absent if the search has none
 * @param rows       of the result
 * @param exported   how many of them are in the first of the files
 * @param leftOut    how many of them are in left-out.jsonl
 * @param missing    how many of those the gateway had deleted meanwhile
 * @param rules      how to read the first of the files
 * @param files      all but the manifest itself and its signature, in the order of the archive
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ExportManifest(
        String format,
        int version,
        String tenant,
        String user,
        String name,
        Instant time,
        Search search,
        AskedSearch asked,
        List<Incompleteness.Reason> incomplete,
        @Nullable RecheckState recheck,
        long rows,
        long exported,
        long leftOut,
        long missing,
        List<String> rules,
        List<Listed> files,
        Place log) {
    static final String FILE = "manifest.json";
    static final String SIGNED = "manifest.signed";
    /** The kind of its statement. */
    static final String KIND = "export-manifest";

    static final String FORMAT = "veilgate-export";
    /** Version 4 says why a result is not complete, and which index keys were asked: readers of before would not. */
    static final int VERSION = 4;

    /** A file of the archive. */
    record Listed(String name, long bytes, String sha256) {}

    /**
     * The place in the issuing log.
     *
     * @param begun number of the entry before the first byte
     * @param entry number of the entry with the digest of the first file
     * @param size  of the log whose head the proof has
     * @param root  of that head, lower-case hex
     */
    record Place(long begun, long entry, long size, String root, Instant signed) {
        static Place of(long begun, InclusionProof proof) {
            var head = proof.head().head();
            return new Place(
                    begun, proof.entry().number(), head.size(), HexFormat.of().formatHex(head.root()), head.time());
        }
    }

    /** The search as it was typed, and how it ended. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Search(
            UUID id,
            String query,
            String scope,
            boolean mail,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable List<String> senders,
            @Nullable List<String> signed,
            Instant started,
            Instant ended,
            String state,
            @Nullable String problem,
            long envelopes,
            long envelopesDone,
            long envelopesFound,
            long unreadable,
            long dropped,
            SearchState.@Nullable Others others,
            @Nullable Long otherwiseSigned,
            @Nullable Long unchecked,
            int trapdoors) {
        static Search of(SearchState state, @Nullable List<String> senders) {
            return new Search(
                    state.id(),
                    state.query(),
                    state.scope(),
                    state.mail(),
                    state.from(),
                    state.to(),
                    senders,
                    state.signed(),
                    state.started(),
                    state.started().plusMillis(state.millis()),
                    state.state(),
                    problem(state),
                    state.envelopes(),
                    state.envelopesDone(),
                    state.envelopesFound(),
                    state.unreadable(),
                    state.dropped(),
                    state.others(),
                    state.otherwiseSigned() == 0 ? null : Long.valueOf(state.otherwiseSigned()),
                    state.unchecked() == 0 ? null : Long.valueOf(state.unchecked()),
                    state.issued());
        }

        /** Why it is partial, if it is not its state that says so. */
        private static @Nullable String problem(SearchState state) {
            return state.problem() != null || state.notSearched().isEmpty()
                    ? state.problem()
                    : "not searched: " + String.join("; ", state.notSearched());
        }

        @Override
        public String toString() {
            return "Search[" + id + "]";
        }
    }
}
