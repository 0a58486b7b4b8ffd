package dev.veilgate.authority;

import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Digest;
import dev.veilgate.query.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the issuing log says of what an authority issues, whoever issues it: the console or a command. */
public final class IssuedEntries {
    static final String KEYWORD = "keyword";
    private static final Pattern INTERVAL = Pattern.compile("interval (\\d{1,19}) of 2\\^(\\d{1,2})");
    private static final String FIELD = "field";
    private static final String HOLDER = "holder";
    private static final int MAX_EPOCHS_CHARACTERS = 1000;
    private static final int MAX_CLEAR_BYTES = 4096;

    private IssuedEntries() {}

    /** How an entry gets a detail that may have to be sealed. */
    @FunctionalInterface
    public interface Detail {
        /** The draft with it. */
        LogDraft to(LogDraft draft, String name, String value);
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
        return all.length() <= MAX_EPOCHS_CHARACTERS ? all : names.getFirst() + " .. " + names.getLast();
    }

    /**
     * An entry for each trapdoor of a search. A trapdoor that serves two terms has one.
     *
     * @param actor   who gets them
     * @param request number of the entry that allowed it; 0 if there is none
     * @param terms   that they were issued for
     * @param issued  of these terms, by {@link TenantKeys#request}
     * @param keyword adds the keyword
     */
    public static List<LogDraft> trapdoors(
            String actor, long request, List<List<Keyword>> terms, SearchRequest issued, Detail keyword) {
        List<LogDraft> drafts = new ArrayList<>();
        Set<Digest> seen = new HashSet<>();
        for (int term = 0; term < terms.size(); term++) {
            List<Keyword> anyOf = terms.get(term);
            List<ScopedTrapdoor> trapdoors = issued.terms().get(term);
            for (int i = 0; i < trapdoors.size(); i++) {
                ScopedTrapdoor trapdoor = trapdoors.get(i);
                if (seen.add(Digest.of(trapdoor))) {
                    // for each key and epoch they are in the order of the keywords
                    Keyword its = anyOf.get(i % anyOf.size());
                    drafts.add(trapdoor(actor, request, new PendingRequest.Issued(its, trapdoor), keyword));
                }
            }
        }
        return drafts;
    }

    /**
     * The entry for one trapdoor.
     *
     * @param actor   who gets it
     * @param request number of the entry that allowed it; 0 if there is none
     * @param keyword adds the keyword
     */
    public static LogDraft trapdoor(String actor, long request, PendingRequest.Issued issued, Detail keyword) {
        ScopedTrapdoor trapdoor = issued.trapdoor();
        LogDraft draft = answering(LogDraft.of(EntryKind.TRAPDOOR, actor), request)
                .with(DetailName.TRAPDOOR, Digest.of(trapdoor).toString())
                .with(DetailName.SCOPE, trapdoor.scope())
                .with(DetailName.EPOCHS, trapdoor.epoch())
                .with(DetailName.KEY, trapdoor.keyId().toString())
                .with(FIELD, issued.keyword().field());
        return keyword.to(draft, KEYWORD, text(issued.keyword()));
    }

    /**
     * The grant for trapdoors that were issued.
     *
     * @param actor   who gets it
     * @param request number of the entry that allowed it; 0 if there is none
     * @param holder  whom the grant names
     */
    public static LogDraft grant(String actor, long request, String holder, SearchRequest issued, Instant expires) {
        return answering(LogDraft.of(EntryKind.GRANT, actor), request)
                .with(HOLDER, holder)
                .with(DetailName.EXPIRES, expires.toString())
                .with(DetailName.COUNT, Integer.toString(issued.digests().size()))
                .with(DetailName.DIGEST, digest(issued));
    }

    private static LogDraft answering(LogDraft draft, long request) {
        return request == 0 ? draft : draft.with(DetailName.REQUEST, Long.toString(request));
    }

    /** Of those of all trapdoors, ascending, as a grant has them. */
    private static String digest(SearchRequest issued) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            issued.digests().stream().sorted().distinct().forEach(digest -> sha.update(digest.toBytes()));
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** What {@link #text} may have been made of: a word can look like an interval. */
    static List<Keyword> keywordsOf(LogEntry entry, String text) {
        String field = entry.details().getOrDefault(FIELD, "");
        List<Keyword> all = new ArrayList<>();
        try {
            all.add(Keyword.text(field, text));
            Matcher interval = INTERVAL.matcher(text);
            if (interval.matches()) {
                all.add(Keyword.interval(
                        field, Integer.parseInt(interval.group(2)), Long.parseLong(interval.group(1))));
            }
        } catch (IllegalArgumentException e) {
            // no such keyword can be
        }
        return all;
    }

    private static String text(Keyword keyword) {
        return keyword.isInterval() ? "interval " + keyword.value() + " of 2^" + keyword.level() : keyword.value();
    }

    /**
     * Attribute keys for a reader who searches, too.
     *
     * @param indexKeys under which it was issued searcher's keys
     */
    public static LogDraft attributeKey(
            String actor, String reader, String label, List<String> epochs, Collection<KeyId> indexKeys) {
        LogDraft draft = attributeKey(actor, reader, label, epochs);
        return indexKeys.isEmpty()
                ? draft
                : draft.with(
                        DetailName.INDEX_KEYS,
                        indexKeys.stream().distinct().map(KeyId::toString).collect(Collectors.joining(" ")));
    }

    /**
     * Attribute keys for a reader.
     *
     * @param actor who issued them, or reads by them
     * @param label attributes or a policy; one of more than 4,096 bytes is cut
     */
    public static LogDraft attributeKey(String actor, String reader, String label, List<String> epochs) {
        return LogDraft.of(EntryKind.ATTRIBUTE_KEY, actor)
                .with(DetailName.READER, cut(reader, MAX_CLEAR_BYTES))
                .with(DetailName.LABEL, cut(label, MAX_CLEAR_BYTES))
                .with(DetailName.EPOCHS, epochs(epochs));
    }
}
