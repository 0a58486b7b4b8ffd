package dev.veilgate.truth;

import dev.veilgate.extract.FieldNames;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.truth.Case.Kind;
import dev.veilgate.truth.Case.Wrong;
import dev.veilgate.truth.Meaning.Beginning;
import dev.veilgate.truth.Meaning.Copied;
import dev.veilgate.truth.Meaning.Has;
import dev.veilgate.truth.Meaning.Net;
import dev.veilgate.truth.Meaning.Not;
import dev.veilgate.truth.Meaning.Or;
import dev.veilgate.truth.Meaning.Range;
import dev.veilgate.truth.Meaning.Time;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Causes of answers that are wrong in silence today. Each has lines in {@code known-cases.tsv}; who mends one marks
 * its lines there as right and takes it out of here, after which {@link QueryTruthLawsTest} fails wherever it is not
 * mended.
 */
enum KnownCause {
    /**
     * A name of another product finds what the common field finds: {@code source.ip:10.0.0.7} any address,
     * {@code src_user:bob} any user, {@code host.name:} a host by whatever name.
     */
    NAME_OF_OTHER_PRODUCT(wrong -> isWithoutNamed(wrong.of().meaning(), wrong)),

    /** {@code temp:61.5}: numbers of numeric fields are rounded down, those of queries too, and nothing is said. */
    FRACTION_OF_NUMBER(wrong -> wrong.of().meaning() instanceof Has has
            && has.name().equals("temp")
            && has.value().matches("[0-9]+\\.[1-9]")),

    /** Graylog shows {@code _username} of GELF as {@code username}, which is no name of the record here. */
    UNDERSCORE_OF_GELF(wrong -> wrong.kind() == Kind.MISSES
            && wrong.of().meaning() instanceof Has has
            && has.name().startsWith("_")),

    /** {@code source} of Graylog is the host; a host with points in its name looks like a file, and nothing is said. */
    SOURCE_WITH_POINTS(wrong -> wrong.of().query().matches("source:\"?[^/ ]+\\.[^/ ]+")),

    /** A date without a field is three numbers, which lines of syslog, GELF or an access log do not have. */
    DATE_WITHOUT_FIELD(
            wrong -> wrong.of().meaning() instanceof Time && wrong.asked().matches("[0-9]{4}-[0-9]{2}\\S*( \\S+)?")),

    /** {@code time:2026-11-21 12:23} is a day, and beside it two numbers. */
    CLOCK_BEHIND_SPACE(
            wrong -> wrong.of().meaning() instanceof Time && wrong.asked().matches("@?time(stamp)?:\\S+ \\S+")),

    /** {@code bytes >1000}, with a space before the sign and none behind it, is the word and the number. */
    SIGN_BEFORE_NUMBER(wrong -> wrong.kind() == Kind.MISSES
            && wrong.of().meaning().all().allMatch(part -> part instanceof Range || part instanceof Not)
            && wrong.asked().matches(".*\\S+ [<>]-?[0-9]+")),

    /** {@code rm -rf} was copied, and {@code rm NOT rf} is all that is suggested. */
    HYPHEN_OF_TEXT(wrong -> wrong.kind() == Kind.SUGGESTS
            && wrong.of().meaning() instanceof Copied
            && wrong.of().query().contains(" -")),

    /** {@code search valve} of Splunk asks for the word "search" too. */
    SEARCH_AS_WORD(wrong ->
            wrong.of().query().startsWith("search ") && !wrong.of().query().contains("|")),

    /** {@code user in (root)} in small letters, with one value, is words. */
    SMALL_IN_WITH_ONE_VALUE(wrong -> wrong.of().query().matches("(search |index=main )?\\S+ in \\([^,]*\\).*")),

    /**
     * Where a star allows no suggestion, the text in quotes is suggested alone: {@code "host:disk*"} for
     * {@code host : disk*}, {@code "\\/srv\\/data*"} for {@code -path:\/srv\/data*}.
     */
    TEXT_BEFORE_STAR(wrong -> wrong.kind() == Kind.SUGGESTS && wrong.asked().matches(".*\"[^\"]*\\*\".*")),

    /**
     * A suggestion that finds less than was meant stands under NOT, where it hides less than was meant:
     * {@code a NOT dis} for {@code a NOT dis*}, {@code NOT (app:a AND app:b)} for {@code -app:(a b)}.
     */
    LESS_UNDER_NOT(
            wrong -> wrong.kind() == Kind.SUGGESTS && hasUnderNot(wrong.of().meaning(), KnownCause::isNarrowed)),

    /** Gmail and Splunk bind OR tighter than terms side by side: {@code from:a OR from:b pump}. */
    OR_BINDS_TIGHTER(wrong -> Set.of("Gmail", "Splunk").contains(wrong.of().syntax().product)
            && isMixed(wrong.of().query())),

    /** {@code pump {a b}} of Gmail: braces are seen at the beginning of a query only. */
    BRACES_WITHIN(wrong ->
            wrong.of().syntax().product.equals("Gmail") && wrong.of().query().matches(".+\\{.*")),

    /** {@code level:error level:warn} of Lucene: side by side no record has both, and nothing says so. */
    VALUES_SIDE_BY_SIDE(wrong -> Set.of("Lucene", "Graylog").contains(wrong.of().syntax().product)
            && wrong.of().meaning() instanceof Or
            && !wrong.of().query().matches(".* (OR|\\|\\|) .*"));

    private final Predicate<Wrong> is;

    KnownCause(Predicate<Wrong> is) {
        this.is = is;
    }

    static Optional<KnownCause> of(Wrong wrong) {
        return Arrays.stream(values()).filter(cause -> cause.is.test(wrong)).findFirst();
    }

    /** Whether OR stands beside terms side by side, or AND, without a parenthesis between them. */
    private static boolean isMixed(String query) {
        String rest = query.replaceAll("\"[^\"]*\"|\\{[^{}]*\\}", "x");
        Pattern group = Pattern.compile("\\(([^()]*)\\)");
        Matcher inner = group.matcher(rest);
        boolean mixed = false;
        while (inner.find()) {
            mixed |= isMixedWithin(inner.group(1));
            rest = rest.substring(0, inner.start()) + "x" + rest.substring(inner.end());
            inner = group.matcher(rest);
        }
        return mixed || isMixedWithin(rest);
    }

    private static boolean isMixedWithin(String terms) {
        String without = terms.replaceAll(" OR ", "|").replaceAll("\\bNOT ", "");
        return without.contains("|") && without.strip().contains(" ");
    }

    private static boolean isNarrowed(Meaning part) {
        return part instanceof Beginning || part instanceof Or or && Syntax.nameOfAll(or) != null;
    }

    private static boolean hasUnderNot(Meaning meaning, Predicate<Meaning> is) {
        return meaning.all()
                .anyMatch(part -> part instanceof Not not && not.of().all().anyMatch(is));
    }

    private static boolean isWithoutNamed(Meaning meaning, Wrong wrong) {
        List<Meaning> parts = meaning instanceof Or or ? or.of() : List.of(meaning);
        return parts.stream().anyMatch(part -> switch (part) {
            case Has has -> isOther(has.name(), wrong);
            case Net net -> isOther(net.name(), wrong);
            default -> false;
        });
    }

    private static boolean isOther(String name, Wrong wrong) {
        boolean isCommon =
                Set.of("level", "host", "app", "pid", "user", "ip", "path").contains(name);
        boolean isAlias = FieldNames.common(KeywordText.field(name.replaceFirst("^_", "")))
                .isPresent();
        return !isCommon && isAlias && wrong.kind() != Kind.MISSES;
    }
}
