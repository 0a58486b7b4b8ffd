package dev.veilgate.console.audit;

import dev.veilgate.authority.IssuedEntries;
import dev.veilgate.authority.PendingRequest;
import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.peks.KeyId;
import dev.veilgate.query.SearchRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What entries of the issuing log say. Names of details are those of {@link DetailName}, and the ones here. */
public final class Entries {
    /** What was done, in a word. */
    public static final String ACTION = "action";
    /** What it was done to. */
    public static final String NAME = "name";
    /** Id of a search of the console. */
    public static final String SEARCH = "search";

    /** The {@link #ACTION} of a login that ends. */
    static final String LOGGED_OUT = "out";
    /** Id of a second person's approval, or of the request for it. */
    public static final String APPROVAL = "approval";

    /** Names of details that rules may want to be sealed: queries, keywords, and what was said of them. */
    public static final Set<String> MAY_BE_HIDDEN = Set.of("query", "understood", "warnings", "keyword");

    private static final String FORMAT = "format";
    private static final int MAX_CLEAR_BYTES = 4096;
    private static final int LEAST_ROOM = 64;
    private static final int ENVELOPES_OF_ENTRY = 100;

    private Entries() {}

    /** Adds a detail to an entry, in clear or sealed; it is cut if it is too long, or left out without room for it. */
    static LogDraft with(LogDraft draft, String name, String value, @Nullable KemPublicKey sealFor) {
        if (!MAY_BE_HIDDEN.contains(name)) {
            throw new IllegalArgumentException(name + " is not among the details that may be hidden");
        }
        if (sealFor == null) {
            return draft.with(name, cut(value, MAX_CLEAR_BYTES));
        }
        int room = draft.sealedRoom(name);
        return room < LEAST_ROOM ? draft : draft.sealed(sealFor, name, cut(value, room));
    }

    /** A text of at most so many bytes in UTF-8, with an ellipsis if something is missing. */
    public static String cut(String text, int maxBytes) {
        return IssuedEntries.cut(text, maxBytes);
    }

    /**
     * The entry for a trapdoor.
     *
     * @param actor   who gets it
     * @param request number of the entry that allowed it
     * @param hidden  whether only the holder of the tenant's keys may read the keyword
     */
    public static LogDraft trapdoor(
            AuditLog log, String actor, long request, PendingRequest.Issued issued, boolean hidden) {
        return IssuedEntries.trapdoor(
                actor, request, issued, (draft, name, value) -> log.with(draft, name, value, hidden));
    }

    /** Whom grants of the console name: who searches is in the issuing log, at the place that a grant names, and no business of the gateway. */
    public static final String GRANT_HOLDER = "console";

    /**
     * The grant for trapdoors that were issued.
     *
     * @param actor   who gets them
     * @param request number of the entry that allowed it
     */
    public static LogDraft grant(String actor, long request, SearchRequest issued, Instant expires) {
        return IssuedEntries.grant(actor, request, GRANT_HOLDER, issued, expires);
    }

    /**
     * Records or mails that were opened for somebody, some envelopes an entry.
     *
     * @param search id of the search that found them
     * @param opened how many records of each were opened
     */
    public static List<LogDraft> decryptions(String actor, UUID search, List<Opened> opened) {
        List<LogDraft> drafts = new ArrayList<>();
        for (int from = 0; from < opened.size(); from += ENVELOPES_OF_ENTRY) {
            List<Opened> some = opened.subList(from, Math.min(opened.size(), from + ENVELOPES_OF_ENTRY));
            drafts.add(LogDraft.of(EntryKind.DECRYPTION, actor)
                    .with(SEARCH, search.toString())
                    .with(
                            DetailName.ENVELOPE,
                            some.stream().map(one -> one.envelope().toString()).collect(Collectors.joining(" ")))
                    .with(
                            DetailName.COUNT,
                            Long.toString(
                                    some.stream().mapToLong(Opened::records).sum())));
        }
        return drafts;
    }

    /** Sealed details of an entry that were opened for somebody. */
    static LogDraft unsealed(String actor, LogEntry entry) {
        return LogDraft.of(EntryKind.DECRYPTION, actor)
                .with(ACTION, "sealed details")
                .with(DetailName.ENTRY, Long.toString(entry.number()));
    }

    /**
     * An envelope that was opened.
     *
     * @param records how many of it were read
     */
    public record Opened(UUID envelope, int records) {}

    /** Hits that may leave the console from now on. */
    public static LogDraft exportBegun(String actor, UUID search, String format) {
        return LogDraft.of(EntryKind.EXPORT, actor)
                .with(ACTION, "begin")
                .with(SEARCH, search.toString())
                .with(FORMAT, format);
    }

    /**
     * Hits that left the console.
     *
     * @param sha256 of the file with the hits; lower-case hex
     */
    public static LogDraft export(String actor, UUID search, String format, long rows, String sha256) {
        return LogDraft.of(EntryKind.EXPORT, actor)
                .with(ACTION, "end")
                .with(SEARCH, search.toString())
                .with(FORMAT, format)
                .with(DetailName.COUNT, Long.toString(rows))
                .with(DetailName.DIGEST, sha256);
    }

    /** Attribute keys for a reader, or for a session of somebody who reads here. */
    public static LogDraft attributeKey(String actor, String reader, String label, List<String> epochs) {
        return IssuedEntries.attributeKey(actor, reader, label, epochs);
    }

    /** {@link #attributeKey(String, String, String, List)} for a reader who searches under some index keys, too. */
    public static LogDraft attributeKey(
            String actor, String reader, String label, List<String> epochs, List<KeyId> indexKeys) {
        return IssuedEntries.attributeKey(actor, reader, label, epochs, indexKeys);
    }

    /**
     * A change of something that is administered.
     *
     * @param action in a word or two
     * @param name   of what
     */
    public static LogDraft change(EntryKind kind, String actor, String action, String name) {
        return LogDraft.of(kind, actor).with(ACTION, action).with(NAME, cut(name, MAX_CLEAR_BYTES));
    }
}
