package dev.veilgate.extract;

import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Expression.And;
import dev.veilgate.query.Expression.Not;
import dev.veilgate.query.Expression.Or;
import dev.veilgate.query.Expression.Term;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of a {@link KeywordQuery}.
 *
 * <pre>
 *   any  = all { "OR" all }        all = one { [ "AND" ] one }        one = { "NOT" } ( "(" any ")" / term )
 * </pre>
 */
final class QueryParser {
    static final int MAX_OPEN = 8;

    private static final int MOST_LEFT_OUT = 20;
    private static final int MOST_WARNINGS = 5;
    /** Characters of a query up to which others are suggested for it. */
    private static final int MOST_SUGGESTED_FOR = 2048;

    private static final Pattern TIME =
            Pattern.compile("([0-9]{4}-[0-9]{2}(?:-[0-9]{2})?)(?:[T ]([0-9]{2}(?::[0-9]{2})?)"
                    + "(?::[0-9]{2}(?:[.,][0-9]++)?)?Z?)?+(?=\\s|\\)|$)");
    private static final Pattern CLOCK = Pattern.compile("[0-9]{1,2}:[0-9]{2}(?::[0-9]{1,2}(?:[.,][0-9]++)?)?");
    private static final Pattern FRACTION = Pattern.compile("-?[0-9]*+\\.[0-9]*[1-9][0-9]*+");

    /** Names that files, units of systemd and the like have, unlike computers. */
    private static final Pattern FILE = Pattern.compile(
            "(?i).*\\.(?:log|txt|out|err|json|jsonl|csv|xml|eml|mbox|gz|xz|zst|bz2|zip|service|timer|socket|slice|scope"
                    + "|target|mount|[0-9]+)");

    private static final String UNSUGGESTED =
            "Nothing is suggested, as the query has more than " + MOST_SUGGESTED_FOR + " characters.";
    private static final Set<String> SEVERAL_VALUES =
            Set.of("word", "number", "prefix", "ip", "ip-prefix", "path", "related.ip", "related.user");
    private static final String ANCHOR =
            "needs something that is searched for beside NOT, in an AND: level:error AND NOT user:root";

    private static final String SEVERAL =
            "this field has another value beside it, and both must be there; for one of several, OR goes between them";
    private static final String LOOSE =
            "AND, and terms side by side, bind before OR does: a b OR c is (a b) OR c; parentheses say otherwise";
    private static final String COMMA =
            "a comma joins nothing: each of the terms must be there; for one of several, OR goes between them";

    private final String query;
    private final ExtractorProfile profile;
    private final KeywordQuery.Fields own;
    private final KnownFields known;
    private final Map<List<Keyword>, Term> terms = new LinkedHashMap<>();
    private int at;
    private int keywords;
    private int place;
    private int open;
    private final Set<Integer> leftOut = new LinkedHashSet<>();
    private boolean cutUp;
    private boolean isBehindAnd;
    private boolean byWords;
    private boolean isLeftOut;
    private String lastField = "";
    private final List<Slip> slips = new ArrayList<>();

    /** What may be a mistake, and what would be written otherwise from one character to another; null if nothing is near. */
    private record Slip(
            String message, int from, int to, @Nullable String instead) {}

    QueryParser(String query, ExtractorProfile profile, KeywordQuery.Fields own) {
        this.query = query;
        this.profile = profile;
        this.own = own;
        this.known = new KnownFields(profile, own.seen());
    }

    /** As {@link #parse}; what cannot be read comes with suggestions. */
    ReadQuery read() throws MalformedQueryException {
        try {
            KeywordQuery parsed = parse();
            List<String> notes = notes();
            if (!slips.isEmpty() && !isSuggestedFor()) {
                notes.add(UNSUGGESTED);
            }
            return new ReadQuery(parsed, QueryMeaning.of(parsed, profile), notes, warnings());
        } catch (MalformedQueryException e) {
            throw isSuggestedFor() ? e.suggesting(suggestions(e)) : e;
        }
    }

    private List<String> suggestions(MalformedQueryException e) {
        QueryRepair repair = new QueryRepair(profile, own);
        if (e.meant().isEmpty()) {
            return repair.of(query);
        }
        int at = e.at().orElseThrow();
        String renamed = query.substring(0, at) + e.meant() + query.substring(query.indexOf(':', at));
        return repair.isRead(renamed) ? List.of(renamed) : List.of();
    }

    /** Each suggestion is read, which for the longest queries would take ten times as long as the query itself. */
    private boolean isSuggestedFor() {
        return query.length() <= MOST_SUGGESTED_FOR;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (byWords) {
            notes.add("A value of more than "
                    + profile.limits().fieldValueBytes()
                    + " bytes is searched by its words, in whatever field of a record they are.");
        }
        if (cutUp) {
            notes.add("A term of several words is searched word by word, in any order.");
        }
        if (!leftOut.isEmpty()) {
            notes.add(leftOut.stream()
                    .limit(MOST_LEFT_OUT)
                    .map(QueryParser::visible)
                    .collect(Collectors.joining(" ", "Left out, as no keyword has it: ", ".")));
        }
        return notes;
    }

    /** A character, or its number if nothing of it is seen. */
    private static String visible(int c) {
        return Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT
                        || Character.getType(c) == Character.SURROGATE
                ? String.format(Locale.ROOT, "U+%04X", c)
                : Character.toString(c);
    }

    private List<ReadQuery.Warning> warnings() {
        QueryRepair repair = new QueryRepair(profile, own);
        return slips.stream()
                .limit(MOST_WARNINGS)
                .map(slip -> {
                    String instead = slip.instead() == null
                            ? query
                            : query.substring(0, slip.from()) + slip.instead() + query.substring(slip.to());
                    boolean differs = isSuggestedFor() && !instead.equals(query) && repair.isRead(instead);
                    return new ReadQuery.Warning(slip.message(), slip.from(), differs ? List.of(instead) : List.of());
                })
                .toList();
    }

    KeywordQuery parse() throws MalformedQueryException {
        if (query.length() > KeywordQuery.MAX_CHARACTERS) {
            throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_CHARACTERS + " characters");
        }
        if (query.isBlank()) {
            throw new MalformedQueryException(0, "has no word, number, address or field:value");
        }
        List<ForeignSyntax.Finding> foreign = new ForeignSyntax(query, profile, own).find();
        if (!foreign.isEmpty()) {
            throw new MalformedQueryException(0, foreign.getFirst().why())
                    .at(foreign.getFirst().from());
        }
        Expression expression = any();
        if (next() == ')') {
            throw new MalformedQueryException(0, "has a ) without its (; text with parentheses goes into quotes")
                    .at(at);
        }
        if (expression instanceof Not) {
            throw new MalformedQueryException(0, ANCHOR);
        }
        try {
            return new KeywordQuery(List.copyOf(terms.keySet()), expression);
        } catch (IllegalArgumentException e) {
            throw new MalformedQueryException(0, "is too large or too deep");
        }
    }

    private Expression any() throws MalformedQueryException {
        Set<Expression> members = new LinkedHashSet<>();
        boolean isMixed = false;
        next();
        int from = at;
        do {
            Expression member = all();
            isMixed |= isBehindAnd;
            members.addAll(member instanceof Or or ? or.of() : List.of(member));
        } while (operator("OR"));
        isBehindAnd = false;
        if (members.size() == 1) {
            return members.iterator().next();
        }
        if (isMixed) {
            slips.add(new Slip(LOOSE, from, at, null));
        }
        if (members.stream().anyMatch(Not.class::isInstance)) {
            throw new MalformedQueryException(0, ANCHOR);
        }
        return new Or(List.copyOf(members));
    }

    private Expression all() throws MalformedQueryException {
        List<Expression> members = new ArrayList<>();
        Set<String> fields = new HashSet<>();
        boolean isJoined = false;
        boolean goesOn = true;
        while (goesOn) {
            next();
            int from = at;
            Expression member = one();
            members.add(member);
            if (member instanceof Term && hasOneValue(lastField) && !fields.add(lastField + ' ' + member)) {
                fields.add(lastField); // the same again
            } else if (member instanceof Term && hasOneValue(lastField) && !fields.add(lastField)) {
                slips.add(new Slip(SEVERAL, from, at, null));
            }
            boolean isAnd = operator("AND");
            goesOn = isAnd || next() != 0 && next() != ')' && !atOperator("OR");
            isJoined |= goesOn;
        }
        isBehindAnd = isJoined;
        return and(members);
    }

    private static Expression and(List<Expression> of) throws MalformedQueryException {
        Set<Expression> members = new LinkedHashSet<>();
        of.forEach(member -> members.addAll(member instanceof And and ? and.of() : List.of(member)));
        if (members.size() == 1) {
            return members.iterator().next();
        }
        if (members.stream().allMatch(Not.class::isInstance)) {
            throw new MalformedQueryException(0, ANCHOR);
        }
        return new And(List.copyOf(members));
    }

    private Expression one() throws MalformedQueryException {
        boolean negated = false;
        while (operator("NOT")) {
            negated = !negated;
        }
        boolean outer = isLeftOut;
        isLeftOut ^= negated;
        Expression found = next() == '(' ? group() : term();
        isLeftOut = outer;
        if (!negated) {
            return found;
        }
        return found instanceof Not not ? not.of() : new Not(found);
    }

    private Expression group() throws MalformedQueryException {
        if (++open > MAX_OPEN) {
            throw new MalformedQueryException(0, "has more than " + MAX_OPEN + " parentheses within each other").at(at);
        }
        int from = at++;
        Expression found = any();
        if (next() != ')') {
            throw new MalformedQueryException(0, "has a ( without its ); text with parentheses goes into quotes")
                    .at(from);
        }
        at++;
        open--;
        return found;
    }

    private Expression term() throws MalformedQueryException {
        if (next() == 0 || next() == ')' || atOperator("AND") || atOperator("OR")) {
            throw new MalformedQueryException(
                            0,
                            "needs terms on both sides of AND and OR, behind NOT and in parentheses; as words they go into quotes")
                    .at(at);
        }
        if (++place > KeywordQuery.MAX_TERMS) {
            throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_TERMS + " terms").at(at);
        }
        QueryTerm term = new QueryTerm(profile, own, place, isLeftOut);
        int from = at;
        try {
            read(term);
        } catch (MalformedQueryException e) {
            throw e.at(from);
        }
        leftOut.addAll(term.leftOut());
        cutUp |= term.isCutUp();
        List<Expression> members = new ArrayList<>();
        for (List<Keyword> anyOf : term.allOf()) {
            Term member = terms.get(anyOf);
            if (member == null) {
                keywords += anyOf.size();
                if (keywords > KeywordQuery.MAX_KEYWORDS) {
                    throw new MalformedQueryException(0, "has more than " + KeywordQuery.MAX_KEYWORDS + " keywords");
                }
                member = new Term(terms.size());
                terms.put(anyOf, member);
            }
            members.add(member);
        }
        return and(members);
    }

    private boolean isOfMails() {
        return own.keywords("from", "x").isPresent();
    }

    /** Tells if a record has one value of a field as a rule. */
    private boolean hasOneValue(String field) {
        return !field.isEmpty()
                && !SEVERAL_VALUES.contains(field)
                && !field.startsWith("stem.")
                && own.keywords(field, "x").isEmpty();
    }

    private void read(QueryTerm term) throws MalformedQueryException {
        if (query.charAt(at) == '"') {
            lastField = "";
            term.bare(quoted());
            return;
        }
        int from = at;
        String text = unquoted();
        String name = QueryTerm.fieldOf(text);
        lastField = name == null ? "" : FieldNames.withoutKind(KeywordText.field(name));
        if (name == null) {
            term.bareOrPrefix(text);
            lookForTimes(text, from);
            if (text.endsWith(",") && text.length() > 1 && next() != 0) {
                slips.add(new Slip(COMMA, from, from, null));
            }
            return;
        }
        boolean quotes = text.length() == name.length() + 1 && at < query.length() && query.charAt(at) == '"';
        int value = from + name.length() + 1;
        String written = quotes ? quoted() : text.substring(name.length() + 1);
        String field = FieldNames.withoutKind(KeywordText.field(name));
        term.field(name, written);
        byWords |= term.isByWords();
        if (term.widenedTo().isEmpty()) {
            lookForSlips(field, written, from, value);
        } else if (!FieldNames.isTime(field)) {
            slips.add(new Slip(
                    "this is not indexed under this name; " + term.widenedTo()
                            + " is searched, by whatever name a record has it",
                    from,
                    value - 1,
                    term.widenedTo()));
        }
    }

    /** A day or a clock without a field is numbers, which the time of a record is not. A command's name is a word. */
    private void lookForTimes(String text, int from) {
        Matcher time = TIME.matcher(query).region(from, query.length());
        if (time.lookingAt()) {
            String day = time.group(1);
            String clock = time.group(2) == null ? "" : "T" + time.group(2);
            slips.add(new Slip(
                    "this is searched as numbers; a time is found by its field",
                    from,
                    time.end(),
                    isOfMails() ? "date:" + day : "time:" + day + clock));
        } else if (CLOCK.matcher(text).matches()) {
            slips.add(new Slip(
                    "this is searched as numbers; a time of day is found with its day, as in time:2026-11-21T12:23",
                    from,
                    at,
                    null));
        } else if (text.equals("search") && place == 1 && from == 0 && next() != 0 && !atOperator("OR")) {
            slips.add(new Slip("the word search is searched, too; as a command it is left out", from, at, ""));
        }
    }

    /** Of a field's name and value that could be read. */
    private void lookForSlips(String field, String written, int from, int value) {
        String nearest = known.nearest(field).orElse(null);
        if (nearest != null) {
            slips.add(new Slip(
                    "no field of this name is known, so it finds only records that have one; the nearest is " + nearest,
                    from,
                    value - 1,
                    nearest));
        } else if (KnownFields.isPartOfMails(field, written)
                && own.keywords(field, written).isPresent()) {
            slips.add(new Slip(
                    "a value of this field is found as a whole only: report.pdf, application/pdf, 1@example.org, pumps.example.org",
                    value,
                    at,
                    null));
        } else if (KnownFields.isOfMails(field) && own.keywords(field, written).isEmpty()) {
            slips.add(new Slip("this is a field of mails, and records of logs are searched", from, at, null));
        } else if (own.seen().contains('_' + field)) {
            slips.add(new Slip(
                    "records have a field with an underscore before this name, as GELF writes it",
                    from,
                    value - 1,
                    '_' + query.substring(from, value - 1)));
        } else if (isOfOthers(field, written)) {
            String common = FieldNames.common(field).orElseThrow();
            slips.add(new Slip(
                    "only records that name it so have this field; " + common
                            + " is found by whatever name a record has it",
                    from,
                    value - 1,
                    common));
        } else if (FieldNames.isWholeText(field)) {
            slips.add(new Slip(
                    "a field's value is compared as a whole; words of the text are found without a field",
                    from,
                    at,
                    query.substring(value, at)));
        } else if (isNoTime(field, written)) {
            slips.add(new Slip(
                    "a time is found by its month, day, hour or minute, in UTC: 2026-11, 2026-11-21, 2026-11-21T12 or 2026-11-21T12:23",
                    value,
                    at,
                    null));
        } else if (field.equals(SourceKeyword.FIELD) && isNoSource(written)) {
            slips.add(new Slip(
                    "source is the file or the unit that a record was read from, by its whole name; a computer is host",
                    from,
                    at,
                    "host" + query.substring(value - 1, at)));
        } else if (!known.has(field) && own.keywords(field, written).isEmpty()) {
            slips.add(new Slip(
                    "no record that was opened here, and no profile, has a field of this name; those that are known are "
                            + String.join(", ", known.some()) + "; in quotes this is text",
                    from,
                    at,
                    QueryToken.quoted(query.substring(from, at).replace("\"", " "))));
        } else if (profile.numericField(field).isPresent()
                && FRACTION.matcher(written).matches()) {
            slips.add(
                    new Slip("numbers of this field are rounded down, those of records and this one", value, at, null));
        } else if (field.equals("level")) {
            String folded = KeywordText.value(written, profile.limits().valueBytes());
            String level = KnownFields.nearestLevel(folded).orElse(null);
            if (KeywordText.level(folded).isEmpty()
                    && KeywordText.levelOfNumber(folded).isEmpty()) {
                slips.add(new Slip(
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
        return !written.equals("stdin")
                && written.chars().noneMatch(c -> c == '/' || c == '\\')
                && !FILE.matcher(written).matches();
    }

    /** Up to white space, a quote, or a parenthesis that does not belong to it. */
    private String unquoted() {
        int from = at;
        at = QueryToken.endOfTerm(query, from);
        return query.substring(from, at);
    }

    private String quoted() throws MalformedQueryException {
        StringBuilder out = new StringBuilder();
        for (at++; at < query.length(); at++) {
            char c = query.charAt(at);
            if (c == '"') {
                at++;
                return out.toString();
            }
            boolean escape = c == '\\' && at + 1 < query.length() && "\"\\".indexOf(query.charAt(at + 1)) >= 0;
            out.append(escape ? query.charAt(++at) : c);
        }
        throw new MalformedQueryException(place, "has a quote without its end");
    }

    /** The next character that is not white space; 0 at the end. */
    private char next() {
        while (at < query.length() && QueryToken.isSpace(query.charAt(at))) {
            at++;
        }
        return at < query.length() ? query.charAt(at) : 0;
    }

    private boolean operator(String name) {
        boolean there = atOperator(name);
        at += there ? name.length() : 0;
        return there;
    }

    private boolean atOperator(String name) {
        next();
        return QueryToken.isOperatorAt(query, at, name);
    }
}
