package dev.veilgate.extract;

import dev.veilgate.extract.ForeignTerms.Reading;
import dev.veilgate.peks.DyadicIntervals;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ranges as other query languages write them, of numbers, levels and times. */
final class ForeignRanges {
    private static final Pattern BRACKETED = Pattern.compile(
            "([\\[{])\\s*+\"?+([^\\s\\[\\]{}\"]++)\"?+\\s++TO\\s++\"?+([^\\s\\[\\]{}\"]++)\"?+\\s*+([\\]}])");
    private static final Pattern ADDRESSES =
            Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3})-([0-9]{1,3}(?:\\.[0-9]{1,3}){3})");
    private static final int MOST_ADDRESSES = 32;
    private static final int MOST_NUMBERS = 16;
    private static final List<String> TIMES = List.of("time", "@timestamp", "timestamp", "date", "_time");

    private final ExtractorProfile profile;

    ForeignRanges(ExtractorProfile profile) {
        this.profile = profile;
    }

    /** Behind or before a whole number; others are rounded down, as they are indexed. */
    static String beyond(String sign, String strict, String value, int step) {
        boolean isWhole = sign.equals(strict) && value.matches("-?[0-9]{1,17}(?:\\.0*+)?");
        if (isWhole) {
            return Long.toString(Long.parseLong(value.replaceAll("\\..*+$", "")) + step);
        }
        String level = KeywordText.level(KeywordText.fold(value));
        int at = KeywordText.LEVELS.indexOf(level);
        if (!sign.equals(strict) || at < 0) {
            return value;
        }
        boolean isLevel = at + step >= 0 && at + step < KeywordText.LEVELS.size();
        return isLevel ? KeywordText.LEVELS.get(at + step) : "";
    }

    /** {@code field:[10 TO 20]} at a place of the query. */
    @Nullable
    Reading bracketed(String name, String query, int from) {
        Matcher found = BRACKETED.matcher(query).region(from, query.length());
        if (!found.lookingAt()) {
            return null;
        }
        String first = found.group(1).equals("{") ? beyond(">", ">", found.group(2), 1) : found.group(2);
        String last = found.group(4).equals("}") ? beyond("<", "<", found.group(3), -1) : found.group(3);
        Reading range = range(name, first, last);
        return new Reading(range.why(), range.instead(), found.end());
    }

    /** {@code 10.0.0.7-10.0.0.9}: one after the other, if they are few. Null if the text is something else. */
    @Nullable
    Reading addresses(String text) {
        Matcher found = ADDRESSES.matcher(text);
        if (!found.matches()) {
            return null;
        }
        byte[] first = found.group(1).getBytes(StandardCharsets.US_ASCII);
        byte[] last = found.group(2).getBytes(StandardCharsets.US_ASCII);
        boolean both = IpAddresses.endOfIp4(first, 0, first.length) == first.length
                && IpAddresses.endOfIp4(last, 0, last.length) == last.length;
        String why =
                "asks for a range of addresses: an address is found as a whole, or by its network if the profile has those";
        long from = both ? Integer.toUnsignedLong(IpAddresses.ip4(first, 0, first.length)) : 0;
        long to = both ? Integer.toUnsignedLong(IpAddresses.ip4(last, 0, last.length)) : -1;
        if (to < from || to - from >= MOST_ADDRESSES) {
            return new Reading(why);
        }
        String each = LongStream.rangeClosed(from, to)
                .mapToObj(ip -> "ip:" + (ip >> 24) + "." + (ip >> 16 & 255) + "." + (ip >> 8 & 255) + "." + (ip & 255))
                .collect(Collectors.joining(" OR "));
        return new Reading(why, from == to ? each : "(" + each + ")");
    }

    /** Two values without a field. */
    Reading bare(String text, Matcher dots) {
        boolean numbers = Numbers.floor(dots.group(1)).isPresent()
                && Numbers.floor(dots.group(2)).isPresent();
        Stream<String> fields =
                numbers ? profile.numericFields().stream().map(field -> field.field() + ":" + text) : Stream.of();
        List<String> instead = Stream.concat(fields, Stream.of(QueryToken.quoted(text)))
                .limit(3)
                .toList();
        return new Reading(ranges(), instead, 0);
    }

    /** From one value to another, each of which may be {@code *}. */
    Reading range(String name, String from, String to) {
        String field = KeywordText.field(name);
        DyadicIntervals intervals = profile.numericField(field).orElse(null);
        if (intervals != null) {
            return numbers(name, intervals, from, to);
        }
        if (TIMES.contains(field)) {
            return new Reading(
                    "asks for a range of times, which is chosen beside the query, for the search as a whole");
        }
        int first = from.equals("*") ? 0 : level(from);
        int last = to.equals("*") ? KeywordText.LEVELS.size() - 1 : level(to);
        if (first >= 0 && last >= first) {
            String[] levels = KeywordText.LEVELS.subList(first, last + 1).toArray(String[]::new);
            return new Reading(
                    "asks for a range of levels; each is written, with OR between them",
                    ForeignPatterns.alternatives(name + ":", levels));
        }
        return new Reading(ranges(), few(name, from, to), 0);
    }

    /** Each number of a range of few. */
    private static List<String> few(String name, String from, String to) {
        OptionalLong first = Numbers.floor(from);
        OptionalLong last = Numbers.floor(to);
        boolean isOfWhole = from.indexOf('.') < 0 && to.indexOf('.') < 0 && first.isPresent() && last.isPresent();
        long more = isOfWhole ? last.getAsLong() - first.getAsLong() : -1;
        return more >= 0 && more < MOST_NUMBERS
                ? List.of(ForeignPatterns.alternatives(
                        name + ":",
                        LongStream.rangeClosed(first.getAsLong(), last.getAsLong())
                                .mapToObj(Long::toString)
                                .toArray(String[]::new)))
                : List.of();
    }

    private static int level(String text) {
        return KeywordText.LEVELS.indexOf(KeywordText.level(KeywordText.fold(text)));
    }

    private static Reading numbers(String name, DyadicIntervals intervals, String from, String to) {
        OptionalLong first = from.equals("*") ? OptionalLong.of(intervals.origin()) : bound(from, 1);
        OptionalLong last = to.equals("*") ? OptionalLong.of(intervals.last()) : bound(to, -1);
        String why = "asks for a range, which is two numbers with two points between them: 100..200";
        if (first.isEmpty() || last.isEmpty()) {
            return new Reading(why);
        }
        long low = Math.max(first.getAsLong(), intervals.origin());
        long high = Math.min(last.getAsLong(), intervals.last());
        return low > high ? new Reading(why) : new Reading(why, name + ":" + low + ".." + high);
    }

    /** Numbers are indexed rounded down: of those that one with a fraction is among, some are not meant. */
    private static OptionalLong bound(String number, int inwards) {
        OptionalLong whole = Numbers.floor(number);
        boolean isWhole = number.matches("-?[0-9]++(?:\\.0*+)?");
        return isWhole || whole.isEmpty() ? whole : OptionalLong.of(whole.getAsLong() + inwards);
    }

    /** Names of fields are the profile's, which everybody may know. */
    private String ranges() {
        List<DyadicIntervals> numeric = profile.numericFields();
        return numeric.isEmpty()
                ? "asks for a range, and the tenant's profile has no field with ranges"
                : "asks for a range; those are of the fields "
                        + numeric.stream().map(DyadicIntervals::field).limit(8).collect(Collectors.joining(", "))
                        + " only, with two points: 100..200";
    }
}
