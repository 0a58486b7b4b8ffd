package dev.veilgate.console.audit;

import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Digest;
import dev.veilgate.query.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
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

    private static final String KEYWORD = "keyword";
    private static final String FIELD = "field";
    private static final String FORMAT = "format";
    private static final int MAX_CLEAR_BYTES = 4096;
    private static final int ENVELOPES_OF_ENTRY = 100;

    private Entries() {}

    /** With a detail, in clear or sealed; what is too long is cut. */
    static LogDraft with(LogDraft draft, String name, String value, @Nullable KemPublicKey sealFor) {
        return sealFor == null
                ? draft.with(name, cut(value, MAX_CLEAR_BYTES))
                : draft.sealed(sealFor, name, cut(value, draft.sealedRoom(name)));
    }

    /** A text of at most so many bytes in UTF-8, with an ellipsis if something is missing. */
    public static String cut(String text, int maxBytes) {
        if (text.length() <= maxBytes / 3 || text.getBytes(StandardCharsets.UTF_8).length <= maxBytes) {
            return text;
        }
        int bytes = 3; // those of the ellipsis
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes > maxBytes) {
                break;
            }
            at += Character.charCount(point);
        }
        return text.substring(0, at) + "…";
    }

    /** Epochs as the log has them: all, or of many the first and the last. */
    public static String epochs(List<String> names) {
        String all = String.join(" ", names);
        return all.length() <= 1000 ? all : names.getFirst() + " .. " + names.getLast();
    }

    /**
     * An entry for each trapdoor of a search. A trapdoor that serves two terms has one.
     *
     * @param actor   who gets them
     * @param request number of the entry that allowed it
     * @param terms   that they were issued for
     * @param issued  of these terms, by {@link dev.veilgate.authority.TenantKeys#request}
     * @param hidden  whether only the holder of the tenant's keys may read the keywords
     */
    public static List<LogDraft> trapdoors(
            AuditLog log, String actor, long request, List<List<Keyword>> terms, SearchRequest issued, boolean hidden) {
        List<LogDraft> drafts = new ArrayList<>();
        Set<Digest> seen = new HashSet<>();
        for (int term = 0; term < terms.size(); term++) {
            List<Keyword> anyOf = terms.get(term);
            List<ScopedTrapdoor> trapdoors = issued.terms().get(term);
            for (int i = 0; i < trapdoors.size(); i++) {
                ScopedTrapdoor trapdoor = trapdoors.get(i);
                Digest digest = Digest.of(trapdoor);
                if (seen.add(digest)) {
                    // for each key and epoch they are in the order of the keywords
                    Keyword keyword = anyOf.get(i % anyOf.size());
                    LogDraft draft = LogDraft.of(EntryKind.TRAPDOOR, actor)
                            .with(DetailName.TRAPDOOR, digest.toString())
                            .with(DetailName.REQUEST, Long.toString(request))
                            .with(DetailName.SCOPE, trapdoor.scope())
                            .with(DetailName.EPOCHS, trapdoor.epoch())
                            .with(DetailName.KEY, trapdoor.keyId().toString())
                            .with(FIELD, keyword.field());
                    drafts.add(log.with(draft, KEYWORD, text(keyword), hidden));
                }
            }
        }
        return drafts;
    }

    private static String text(Keyword keyword) {
        return keyword.isInterval() ? "interval " + keyword.value() + " of 2^" + keyword.level() : keyword.value();
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
        return LogDraft.of(EntryKind.ATTRIBUTE_KEY, actor)
                .with(DetailName.READER, cut(reader, MAX_CLEAR_BYTES))
                .with(DetailName.LABEL, cut(label, MAX_CLEAR_BYTES))
                .with(DetailName.EPOCHS, epochs(epochs));
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
