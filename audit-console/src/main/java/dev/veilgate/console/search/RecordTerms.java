package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.console.rows.RowColumns;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a query that find one record or mail: a term for each of its fields and keywords. A term is given only if it is read as the keyword that it stands for, which the record has: so it
 * keeps the record in a query, and leaves it out behind NOT. What no term says exactly has none.
 */
final class RecordTerms {
    /** A field whose value is a filter beside the query, not a term in it. */
    static final String SENDER = "sender";

    private static final String TIME = "time";
    private static final String PATH = "path";
    /** Text that is read without a field. */
    private static final Set<String> BARE = Set.of("word", "number");
    /** Found by, but no fields of a record. */
    private static final Set<String> NO_FIELDS = Set.of("word", "number", "prefix", "ip-prefix", "template", "stem");

    /** Values that need no quotes in any query language that somebody may be used to. */
    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_/](?:[\\p{L}\\p{N}_.:/@-]*[\\p{L}\\p{N}_])?");

    private static final Pattern LIKE_OPERATOR = Pattern.compile("(?i)and|or|not");

    /**
     * A field of a record, as it is shown.
     *
     * @param term   of a query that finds this record by this value, and others with it; none if there is no such term
     * @param filter what beside the query narrows to this value: {@link #SENDER}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Field(
            String name,
            String value,
            @Nullable String term,
            @Nullable String filter) {
        @Override
        public String toString() {
            return "Field[hidden]";
        }
    }

    /**
     * A keyword, as it is shown.
     *
     * @param keyword its field, a colon, its value
     * @param term    as that of a {@link Field}
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Searchable(String keyword, @Nullable String term) {
        @Override
        public String toString() {
            return "Searchable[hidden]";
        }
    }

    private final List<Keyword> keywords;
    private final Set<Keyword> own;
    private final NavigableSet<String> paths = new TreeSet<>();
    private final ExtractorProfile profile;
    private final boolean mail;

    private RecordTerms(List<Keyword> keywords, ExtractorProfile profile, boolean mail) {
        this.keywords = keywords;
        this.own = new HashSet<>(keywords);
        keywords.stream()
                .filter(keyword -> keyword.field().equals(PATH))
                .forEach(keyword -> paths.add(keyword.value()));
        this.profile = profile;
        this.mail = mail;
    }

    /**
     * The terms that find a record of a log.
     *
     * @param keywords of its text
     * @param origin   where it was read; empty if its sender does not say
     */
    static RecordTerms ofRecord(List<Keyword> keywords, String origin, ExtractorProfile profile) {
        List<Keyword> all = new ArrayList<>(keywords);
        all.addAll(SourceKeyword.ofRecord(origin, profile));
        return new RecordTerms(all, profile, false);
    }

    /** The terms that find a mail. */
    static RecordTerms ofMail(List<Keyword> keywords, ExtractorProfile profile) {
        return new RecordTerms(keywords, profile, true);
    }

    /**
     * The fields of a record, in the order in which they are shown; a field with several values once for each.
     *
     * @param time in full, to be shown; null if the record does not say its own
     */
    List<Field> fields(@Nullable String time, String sender, String origin) {
        List<Field> fields = new ArrayList<>();
        if (time != null) {
            fields.add(new Field(TIME, time, ofTime(), null));
        }
        fields.add(new Field(SENDER, sender, null, SENDER));
        if (!origin.isEmpty()) {
            String source = SourceKeyword.of(origin, profile).map(this::of).orElse(null);
            fields.add(new Field(SourceKeyword.FIELD, origin, source, null));
        }
        for (Keyword keyword : keywords) {
            if (isShown(keyword)) {
                fields.add(new Field(keyword.field(), shown(keyword), of(keyword), null));
            }
        }
        return fields;
    }

    /** The values of the fields of a record, as they are shown; a field with several values once for each. */
    static List<RowColumns.Value> values(List<Keyword> keywords, ExtractorProfile profile) {
        RecordTerms terms = new RecordTerms(keywords, profile, false);
        return keywords.stream()
                .filter(terms::isShown)
                .map(keyword -> new RowColumns.Value(keyword.field(), terms.shown(keyword)))
                .toList();
    }

    /**
     * The term of a query that finds the records which have a value.
     *
     * @param field as rows name it: an origin is a source
     * @return null if there is no term that says exactly this
     */
    static @Nullable String ofValue(String field, String value, ExtractorProfile profile, boolean isMail) {
        return keyword(field, value, profile)
                .map(keyword -> new RecordTerms(List.of(keyword), profile, isMail).of(keyword))
                .orElse(null);
    }

    private static Optional<Keyword> keyword(String field, String value, ExtractorProfile profile) {
        if (field.equals("origin")) {
            return SourceKeyword.of(value, profile);
        }
        if (field.equals("from") || field.equals("to")) {
            return Optional.of(Keyword.text(field, address(value).toLowerCase(Locale.ROOT)));
        }
        Optional<DyadicIntervals> numbers = profile.numericField(field).filter(_ -> value.matches("-?[0-9]{1,18}"));
        return Optional.of(
                numbers.map(intervals -> Keyword.interval(field, 0, Long.parseLong(value) - intervals.origin()))
                        .orElseGet(() -> Keyword.text(field, value)));
    }

    /** The address of a field of a mail's header: what stands in angle brackets, or all of it. */
    private static String address(String header) {
        int begin = header.lastIndexOf('<');
        int end = header.indexOf('>', begin + 1);
        return begin >= 0 && end > begin ? header.substring(begin + 1, end) : header;
    }

    private boolean isShown(Keyword keyword) {
        return !NO_FIELDS.contains(keyword.field())
                && !keyword.field().equals(TIME)
                && !keyword.field().equals(SourceKeyword.FIELD)
                && keyword.level() == 0
                && !isFolder(keyword);
    }

    /** Tells if a keyword is a folder of another path of the record, which is shown in its place. */
    private boolean isFolder(Keyword keyword) {
        return keyword.field().equals(PATH) && (isBegun(keyword.value() + '/') || isBegun(keyword.value() + '\\'));
    }

    private boolean isBegun(String folder) {
        String next = paths.ceiling(folder);
        return next != null && next.startsWith(folder);
    }

    /** The keywords by which the record can be found, each once with its term: for its time one, and for a number in place of its intervals the number. */
    List<Searchable> searchable(int most) {
        Set<Searchable> found = new LinkedHashSet<>();
        for (Keyword keyword : keywords) {
            if (found.size() == most) {
                break;
            }
            if (keyword.field().equals(TIME) && !mail) {
                String time = ofTime();
                if (time != null) {
                    found.add(new Searchable(time, time));
                }
            } else if (keyword.level() == 0) {
                found.add(new Searchable(keyword.field() + ":" + shown(keyword), of(keyword)));
            }
        }
        return List.copyOf(found);
    }

    /** The value as people write it. */
    private String shown(Keyword keyword) {
        if (!keyword.isInterval()) {
            return keyword.value();
        }
        long origin = profile.numericField(keyword.field())
                .map(DyadicIntervals::origin)
                .orElse(0L);
        return Long.toString(origin + Long.parseLong(keyword.value()));
    }

    /** The term of a keyword. */
    private @Nullable String of(Keyword keyword) {
        String field = BARE.contains(keyword.field()) ? "" : keyword.field() + ":";
        String value = shown(keyword);
        Predicate<KeywordQuery> isMeant = query -> query.keywords().contains(keyword);
        return isPlain(value) && finds(field + value, isMeant)
                ? field + value
                : quotedIf(field + '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"', isMeant);
    }

    private @Nullable String quotedIf(String term, Predicate<KeywordQuery> isMeant) {
        return finds(term, isMeant) ? term : null;
    }

    private static boolean isPlain(String value) {
        return PLAIN.matcher(value).matches()
                && !value.contains("..")
                && !LIKE_OPERATOR.matcher(value).matches();
    }

    /** The term of the minute that the record says; it is indexed in parts, which are no terms themselves. */
    private @Nullable String ofTime() {
        String month = part("\\d{4}-\\d\\d|--\\d\\d");
        String day = part("d\\d\\d");
        String hour = part("t\\d\\d");
        String ten = part("m\\dx");
        String one = part("mx\\d");
        if (month == null || day == null || hour == null || ten == null || one == null) {
            return null;
        }
        String date = month.startsWith("--") ? month.substring(2) : month;
        String term = TIME + ":" + date + "-" + day.substring(1) + "T" + hour.substring(1) + ":" + ten.charAt(1)
                + one.charAt(2);
        return finds(term, _ -> true) ? term : null;
    }

    private @Nullable String part(String form) {
        return keywords.stream()
                .filter(keyword -> keyword.field().equals(TIME))
                .map(Keyword::value)
                .filter(value -> value.matches(form))
                .findFirst()
                .orElse(null);
    }

    /** Whether a term finds the record, alone as a query and in parentheses: then it finds it wherever it stands in a query. */
    private boolean finds(String term, Predicate<KeywordQuery> isMeant) {
        return isFound(term, isMeant) && isFound("(" + term + ")", isMeant);
    }

    private boolean isFound(String text, Predicate<KeywordQuery> isMeant) {
        try {
            KeywordQuery query = mail ? MailQuery.parse(text, profile) : KeywordQuery.parse(text, profile);
            return isMeant.test(query) && query.matches(own::contains);
        } catch (MalformedQueryException e) {
            return false;
        }
    }
}
