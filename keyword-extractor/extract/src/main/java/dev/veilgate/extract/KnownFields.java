package dev.veilgate.extract;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Names of fields that records and mails commonly have. Structured records have any others besides, so that one that is not here is no mistake by itself. */
public final class KnownFields {
    /** Of log records. */
    public static final List<String> OF_LOGS = List.of(
            "level", "host", "app", "pid", "ip", "ip-prefix", "path", "source", "time", "template", "user", "unit");

    /**
     * Of log records by rules 2, beside {@link #OF_LOGS}: names that the forms themselves give to parts of a line, and
     * the usual ones of security events, of Windows and of containers.
     */
    private static final List<String> OF_FORMS = List.of(
            "stream",
            "status",
            "method",
            "url",
            "bytes",
            "client_ip",
            "referer",
            "agent",
            "vhost",
            "component",
            "state",
            "database",
            "err_code",
            "subsystem",
            "facility",
            "mnemonic",
            "event.action",
            "event.outcome",
            "eventid",
            "channel",
            "devicevendor",
            "deviceproduct",
            "deviceversion",
            "deviceeventclassid",
            "name",
            "src",
            "dst",
            "spt",
            "dpt",
            "suser",
            "duser",
            "shost",
            "dhost",
            "act",
            "outcome",
            "proto",
            "cat",
            "sev",
            "resource.type",
            "attrs.tag",
            "kubernetes.pod_name",
            "kubernetes.namespace_name",
            "kubernetes.container_name");

    /** Of mails. */
    public static final List<String> OF_MAILS = List.of(
            "from",
            "to",
            "cc",
            "subject",
            "date",
            "filename",
            "attachment-type",
            "message-id",
            "in-reply-to",
            "list-id");

    private static final List<String> OF_MAILS_ONLY =
            List.of("cc", "subject", "attachment-type", "message-id", "in-reply-to", "list-id");

    /** Fields of mails that have one value, and a sign that it has. */
    private static final Map<String, String> WHOLE_OF_MAILS = Map.of(
            "date",
            "-",
            "filename",
            ".",
            "attachment-type",
            "/",
            "message-id",
            "@",
            "in-reply-to",
            "@",
            "list-id",
            ".");

    private static final List<String> OF_BOTH = List.of("word", "number", "prefix");

    /** Names of fewer characters are too near each other: {@code id} is neither {@code ip} nor {@code pid}. */
    private static final int SHORTEST = 4;

    /** From this length on a name may have two mistakes. */
    private static final int LONG = 8;

    private static final int MOST_NAMED = 16;

    private final Set<String> ofAllRules = new LinkedHashSet<>();
    private final Set<String> all;

    /**
     * The fields of a tenant's records.
     *
     * @param seen names, folded, that records have which somebody opened
     */
    KnownFields(ExtractorProfile profile, Set<String> seen) {
        ofAllRules.addAll(OF_LOGS);
        ofAllRules.addAll(profile.fields());
        profile.numericFields().forEach(field -> ofAllRules.add(field.field()));
        ofAllRules.addAll(seen);
        ofAllRules.addAll(OF_BOTH);
        ofAllRules.addAll(OF_MAILS);
        all = new LinkedHashSet<>(ofAllRules);
        if (profile.rules() > ExtractorProfile.RULES) {
            all.addAll(OF_FORMS);
        }
    }

    /** Tells if it is a name that forms of lines give, which rules 1 do not read. */
    static boolean isOfForms(String folded) {
        return OF_FORMS.contains(folded);
    }

    /** Whether a field is known, be it by a name that other products have for it. */
    boolean has(String folded) {
        return isIn(all, folded);
    }

    private static boolean isIn(Set<String> names, String folded) {
        return names.contains(folded) || FieldNames.common(folded).isPresent() || folded.startsWith("stem.");
    }

    /**
     * Whether a field is known whatever the rules are. What is refused is asked by this: a query that one of the rules
     * refused and the other took would leave out records.
     */
    boolean hasByAllRules(String folded) {
        return isIn(ofAllRules, folded);
    }

    /** Tells if records are known to have a field of just this name, not only one that it stands for. */
    boolean isNamed(String folded) {
        return all.contains(folded);
    }

    /** Some of those that are known, the common ones first. */
    List<String> some() {
        return all.stream().limit(MOST_NAMED).toList();
    }

    /** The known name that one which is not known may have been meant for; empty if it is known or near none. */
    Optional<String> nearest(String folded) {
        return folded.length() < SHORTEST || has(folded) ? Optional.empty() : nearest(folded, List.copyOf(all));
    }

    /** The field of mails that a name which is none may have been meant for. */
    public static Optional<String> nearestOfMails(String folded) {
        return folded.length() < SHORTEST ? Optional.empty() : nearest(folded, OF_MAILS);
    }

    /** Whether hardly any record but a mail has a field of this name. */
    static boolean isOfMails(String folded) {
        return OF_MAILS_ONLY.contains(folded);
    }

    /** Whether a field of mails has no words, but one value. */
    static boolean isWholeOfMails(String folded) {
        return WHOLE_OF_MAILS.containsKey(folded);
    }

    /** Whether a value is less than a whole one of its field of mails: without the sign that each has. */
    static boolean isPartOfMails(String folded, String value) {
        String sign = WHOLE_OF_MAILS.get(folded);
        return sign != null && !value.contains(sign);
    }

    /** The nearest level to one that is none. */
    static Optional<String> nearestLevel(String folded) {
        return nearest(folded, KeywordText.LEVELS);
    }

    /** Mistakes at the first letter are rare, and other names are often only that far away: {@code post} from {@code host}. */
    private static Optional<String> nearest(String name, List<String> known) {
        int most = name.length() >= LONG ? 2 : 1;
        return known.stream()
                .filter(other -> other.charAt(0) == name.charAt(0) && Math.abs(other.length() - name.length()) <= most)
                .filter(other -> distance(name, other) <= most)
                .min(Comparator.comparingInt(other -> distance(name, other)));
    }

    /** Letters to put in, leave out, change, or swap with their neighbour. */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(d[i - 1][j - 1] + change, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                boolean swaps =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swaps) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
