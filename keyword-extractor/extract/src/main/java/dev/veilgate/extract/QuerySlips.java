package dev.veilgate.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Places of a query that can be read and may be mistakes: each is searched as it stands, with a warning. */
final class QuerySlips {
    static final String SEVERAL =
            "this field has another value beside it, and both must be there; for one of several, OR goes between them";
    static final String LOOSE =
            "AND, and terms side by side, bind before OR does: a b OR c is (a b) OR c; parentheses say otherwise";
    static final String COMMA =
            "a comma joins nothing: each of the terms must be there; for one of several, OR goes between them";

    private static final int MOST_WARNINGS = 5;

    private static final Pattern TIME =
            Pattern.compile("([0-9]{4}-[0-9]{2}(?:-[0-9]{2})?)(?:[T ]([0-9]{2}(?::[0-9]{2})?)"
                    + "(?::[0-9]{2}(?:[.,][0-9]++)?)?Z?)?+(?=\\s|\\)|$)");
    private static final Pattern CLOCK = Pattern.compile("[0-9]{1,2}:[0-9]{2}(?::[0-9]{1,2}(?:[.,][0-9]++)?)?");
    private static final Pattern FRACTION = Pattern.compile("-?[0-9]*+\\.0*+[1-9][0-9]*+");

    /** Endings that names of files, units of systemd and the like have, unlike computers. */
    private static final Set<String> ENDINGS = Set.of(
            "log", "txt", "out", "err", "json", "jsonl", "csv", "xml", "eml", "mbox", "gz", "xz", "zst", "bz2", "zip",
            "service", "timer", "socket", "slice", "scope", "target", "mount");

    private static final Set<String> SEVERAL_VALUES = Set.of("word", "number", "prefix");

    private final String query;
    private final ExtractorProfile profile;
    private final KeywordQuery.Fields own;
    private final KnownFields known;
    private final List<Slip> slips = new ArrayList<>();

    /** A possible mistake, and what may be written from one character to another; null if nothing is near. */
    private record Slip(
            String message, int from, int to, @Nullable String instead) {}

    QuerySlips(String query, ExtractorProfile profile, KeywordQuery.Fields own) {
        this.query = query;
        this.profile = profile;
        this.own = own;
        this.known = new KnownFields(profile, own.seen());
    }

    /** Tells if no possible mistake was found. */
    boolean isEmpty() {
        return slips.isEmpty();
    }

    /** A slip for which nothing else can be written. */
    void add(String message, int from, int to) {
        slips.add(new Slip(message, from, to, null));
    }

    private void add(Slip slip) {
        slips.add(slip);
    }

    /** A field that is not indexed under its name, so that another is searched. */
    void ofWidened(String common, int from, int to) {
        add(new Slip(
                "this is not indexed under this name; " + common + " is searched, by whatever name a record has it",
                from,
                to,
                common));
    }

    /**
     * Warnings of what was found.
     *
     * @param isSuggestedFor whether they say what may have been meant
     */
    List<ReadQuery.Warning> warnings(boolean isSuggestedFor) {
        QueryRepair repair = new QueryRepair(profile, own);
        return slips.stream()
                .limit(MOST_WARNINGS)
                .map(slip -> {
                    String instead = slip.instead() == null
                            ? query
                            : query.substring(0, slip.from()) + slip.instead() + query.substring(slip.to());
                    boolean differs = isSuggestedFor && !instead.equals(query) && repair.isRead(instead);
                    return new ReadQuery.Warning(slip.message(), slip.from(), differs ? List.of(instead) : List.of());
                })
                .toList();
    }

    private boolean isOfMails() {
        return own.keywords("from", "x").isPresent();
    }

    /** Tells if a field has one value in a record as a rule, or a few: an address of a source and of a destination. */
    boolean hasFewValues(String field) {
        return !field.isEmpty()
                && !SEVERAL_VALUES.contains(field)
                && !field.startsWith("stem.")
                && own.keywords(field, "x").isEmpty();
    }

    /**
     * Looks at text without a field that could be read: a day or a clock is numbers, which the time of a record is not,
     * and a command's name is a word.
     */
    void ofText(String text, int from) {
        Matcher time = TIME.matcher(query).region(from, query.length());
        if (time.lookingAt()) {
            String day = time.group(1);
            String clock = time.group(2) == null ? "" : "T" + time.group(2);
            add(new Slip(
                    "this is searched as numbers; a time is found by its field",
                    from,
                    time.end(),
                    isOfMails() ? "date:" + day : "time:" + day + clock));
        } else if (CLOCK.matcher(text).matches()) {
            add(new Slip(
                    "this is searched as numbers; a time of day is found with its day, as in time:2026-11-21T12:23",
                    from,
                    from + text.length(),
                    null));
        } else if (text.equals("search") && query.substring(0, from).isBlank() && isBeforeATerm(from + text.length())) {
            add(new Slip(
                    "the word search is searched, too; as a command it is left out", from, from + text.length(), ""));
        }
    }

    private boolean isBeforeATerm(int at) {
        String rest = query.substring(at).strip();
        return !rest.isEmpty() && !QueryToken.isOperatorAt(rest, 0, "OR");
    }

    /**
     * Looks at a field's name and value that could be read.
     *
     * @param from  where the name begins
     * @param value where the value begins
     * @param at    behind it
     */
    void ofField(String field, String written, int from, int value, int at) {
        String nearest = known.nearest(field).orElse(null);
        if (nearest != null) {
            add(new Slip(
                    "no field of this name is known, so it finds only records that have one; the nearest is " + nearest,
                    from,
                    value - 1,
                    nearest));
        } else if (KnownFields.isPartOfMails(field, written)
                && own.keywords(field, written).isPresent()) {
            add(new Slip(
                    "a value of this field is found as a whole only: report.pdf, application/pdf, 1@example.org,"
                            + " pumps.example.org",
                    value,
                    at,
                    null));
        } else if (KnownFields.isOfMails(field) && own.keywords(field, written).isEmpty()) {
            add(new Slip("this is a field of mails, and records of logs are searched", from, at, null));
        } else if (own.seen().contains('_' + field)) {
            add(new Slip(
                    "records have a field with an underscore before this name, as GELF writes it",
                    from,
                    value - 1,
                    '_' + query.substring(from, value - 1)));
        } else if (isOfOthers(field, written)) {
            String common = FieldNames.common(field).orElseThrow();
            add(new Slip(
                    "only records that name it so have this field; " + common
                            + " is found by whatever name a record has it",
                    from,
                    value - 1,
                    common));
        } else if (FieldNames.isWholeText(field)) {
            add(new Slip(
                    "a field's value is compared as a whole; words of the text are found without a field",
                    from,
                    at,
                    query.substring(value, at)));
        } else if (isNoTime(field, written)) {
            add(new Slip(
                    "a time is found by its month, day, hour or minute, in UTC: 2026-11, 2026-11-21, 2026-11-21T12 or"
                            + " 2026-11-21T12:23",
                    value,
                    at,
                    null));
        } else if (field.equals(SourceKeyword.FIELD) && isNoSource(written)) {
            add(new Slip(
                    "source is the file or the unit that a record was read from, by its whole name; a computer is host",
                    from,
                    at,
                    "host" + query.substring(value - 1, at)));
        } else if (!known.has(field) && own.keywords(field, written).isEmpty()) {
            add(new Slip(
                    "no record that was opened here, and no profile, has a field of this name;"
                            + " those that are known are "
                            + String.join(", ", known.some()) + "; in quotes this is text",
                    from,
                    at,
                    QueryToken.quoted(query.substring(from, at).replace("\"", " "))));
        } else if (profile.numericField(field).isPresent()
                && FRACTION.matcher(written).matches()) {
            add(new Slip("numbers of this field are rounded down, those of records and this one", value, at, null));
        } else if (field.equals("level")) {
            String folded = KeywordText.value(written, profile.limits().valueBytes());
            String level = KnownFields.nearestLevel(folded).orElse(null);
            if (KeywordText.level(folded).isEmpty()
                    && KeywordText.levelOfNumber(folded).isEmpty()) {
                add(new Slip(
                        level == null
                                ? "this is no common level; those are " + String.join(", ", KeywordText.LEVELS)
                                : "this is no common level; the nearest is " + level,
                        from,
                        at,
                        level == null ? null : "level:" + level));
            }
        }
    }

    /** The name that another product has for one of our fields, and that no record is known to have. */
    private boolean isOfOthers(String field, String written) {
        return FieldNames.common(field).isPresent()
                && !FieldNames.isTime(field)
                && !known.isNamed(field)
                && own.keywords(field, written).isEmpty();
    }

    /** A time by another name than {@code time}, which has none of the forms by which times are found. */
    private boolean isNoTime(String field, String written) {
        return FieldNames.common(field).filter("time"::equals).isPresent()
                && own.keywords(field, written).isEmpty()
                && TimeKeywords.parts(KeywordText.fold(written)).isEmpty();
    }

    /** Neither a path nor a file's name: elsewhere this is the name of a computer. */
    private static boolean isNoSource(String written) {
        String ending = written.substring(written.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        boolean isNumber = !ending.isEmpty() && ending.chars().allMatch(c -> c >= '0' && c <= '9');
        boolean isFile = written.indexOf('.') >= 0 && (isNumber || ENDINGS.contains(ending));
        return !written.equals("stdin") && written.chars().noneMatch(c -> c == '/' || c == '\\') && !isFile;
    }
}
