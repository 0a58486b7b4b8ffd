package dev.veilgate.truth;

import dev.veilgate.truth.LogFacts.Fact;
import dev.veilgate.truth.LogFacts.Role;
import dev.veilgate.truth.Meaning.And;
import dev.veilgate.truth.Meaning.Any;
import dev.veilgate.truth.Meaning.Beginning;
import dev.veilgate.truth.Meaning.Copied;
import dev.veilgate.truth.Meaning.Folder;
import dev.veilgate.truth.Meaning.Has;
import dev.veilgate.truth.Meaning.Net;
import dev.veilgate.truth.Meaning.Not;
import dev.veilgate.truth.Meaning.Or;
import dev.veilgate.truth.Meaning.Phrase;
import dev.veilgate.truth.Meaning.Range;
import dev.veilgate.truth.Meaning.Serious;
import dev.veilgate.truth.Meaning.Time;
import dev.veilgate.truth.Meaning.Unspaced;
import dev.veilgate.truth.Meaning.Word;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells from the facts of a log record whether it is what a question means; knows neither keywords nor the reader of
 * queries. Where docs/spec/keywords.md promises something else than other products do, that is followed:
 * <ul>
 *   <li>Words that stand side by side are all words of the record, in any order, also under NOT: "A text of several
 *       tokens is all of them, so NOT "disk full" leaves out records that have both"; a note says so.
 *   <li>A word is one of the whole record, of values and names of fields too: "Every maximal run of letters and digits
 *       is a keyword". An IPv4 address is instead of its runs.
 *   <li>Capitals make no difference: "Folded".
 *   <li>By level, host, app, pid and user a record is found whatever it calls them: "Records are indexed by level,
 *       host, program, process id, user and unit under our fields whatever they call them". Any other name is that
 *       field alone.
 *   <li>Levels are compared by their common names, numbers of syslog too ("level (trace, debug, info, ...)"). By
 *       another name than level it is open whether another spelling is found.
 *   <li>A path by {@code path} is one anywhere in the record, after white space; by rules 1 as a whole, by rules 2
 *       also by a folder that it lies in ("also each folder that it lies in").
 *   <li>An address or a network by {@code ip} is one anywhere in the record. A network behind the name of a field is
 *       one of that field; whether it may be another address of the record is open.
 *   <li>Numbers of numeric fields are rounded down: "indexed by dyadic intervals, rounded down".
 *       A number with a fraction is that number.
 *   <li>A month is also that month of a line without a year: "A query for time:2026-11-21 asks for 2026-11 or --11".
 *   <li>A time by whatever name is the record's one time: "A record has one time".
 *   <li>Text without spaces between words is found by its pairs, by rules 2; by rules 1 by a whole run.
 *   <li>Terms side by side must all hold ("terms side by side must all hold"); Lucene's language wants one of them.
 *       Questions are not written so, but for several values of one field, which hardly a record has together.
 *   <li>What rules 1 do not promise to read by its fields ("nothing that rules 1 find is found no more") is open.
 * </ul>
 */
final class PlainEvaluator {
    private static final Pattern IP4 = Pattern.compile("(?<![0-9.])[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?![0-9.])");
    private static final Pattern IP6 = Pattern.compile("(?<![0-9a-f:])2001:db8[0-9a-f:]*");
    private static final Pattern PATH = Pattern.compile("(?<=^|\\s)/[a-z0-9._/-]+", Pattern.CASE_INSENSITIVE);
    private static final List<String> LEVELS =
            List.of("debug", "info", "notice", "warn", "error", "critical", "alert", "emergency");
    private static final Map<String, String> OF_LEVELS = Map.of(
            "warning",
            "warn",
            "err",
            "error",
            "crit",
            "critical",
            "7",
            "debug",
            "6",
            "info",
            "5",
            "notice",
            "4",
            "warn",
            "3",
            "error",
            "2",
            "critical",
            "information",
            "info");
    private static final Map<String, Role> COMMON =
            Map.of("level", Role.LEVEL, "host", Role.HOST, "app", Role.APP, "pid", Role.PID, "user", Role.USER);

    private static final Set<String> NUMERIC = Set.of("bytes", "temp");

    private final LogFacts facts;
    private final int rules;
    private final List<String> texts = new ArrayList<>();

    /** @param rules by which the record is indexed */
    PlainEvaluator(LogFacts facts, int rules) {
        this.facts = facts;
        this.rules = rules;
        texts.add(facts.text());
        facts.fields().forEach(fact -> {
            texts.add(fact.value());
            texts.add(fact.name());
        });
    }

    /** A path with backslashes is found as a whole; a form that is not read by these rules may have them doubled. */
    private Verdict path(String text) {
        boolean isThere = facts.text().contains(text);
        return isThere && rules < facts.read() ? Verdict.OPEN : Verdict.of(isThere);
    }

    Verdict is(Meaning meaning) {
        return switch (meaning) {
            case And and -> Verdict.all(and.of(), this::is);
            case Or or -> Verdict.any(or.of(), this::is);
            case Not not -> is(not.of()).not();
            case Word word -> Verdict.of(words().contains(folded(word.word())));
            case Phrase phrase -> Verdict.of(phrase.words().stream().allMatch(word -> words().contains(folded(word))));
            case Copied copied when copied.text().indexOf('\\') >= 0 -> path(copied.text());
            case Copied copied -> Verdict.of(words().containsAll(words(copied.text())));
            case Unspaced unspaced -> Verdict.of(unspaced(unspaced.text()));
            case Has has -> has(has.name(), folded(has.value()));
            case Net net -> net(net);
            case Range range -> range(range);
            case Serious serious -> serious(LEVELS.indexOf(serious.level()));
            case Time time -> time(time.text());
            case Any any -> Verdict.of(facts.names().contains(folded(any.name())));
            case Folder folder -> folder(folder.path());
            case Beginning beginning -> beginning(beginning);
            default -> throw new IllegalArgumentException("not asked of log records");
        };
    }

    static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private Set<String> words() {
        return words(String.join(" ", texts));
    }

    /** Runs of letters and digits. */
    static Set<String> words(String text) {
        String rest = IP4.matcher(folded(text)).replaceAll(" ");
        Set<String> words = new HashSet<>(Arrays.asList(rest.split("[^\\p{L}\\p{M}\\p{N}]+")));
        words.remove("");
        return words;
    }

    private boolean unspaced(String text) {
        if (rules == 1) {
            return words().contains(text);
        }
        boolean all = true;
        for (int i = 0; i + 1 < text.length(); i++) {
            String pair = text.substring(i, i + 2);
            all &= texts.stream().anyMatch(each -> each.contains(pair));
        }
        return all;
    }

    private Verdict has(String name, String value) {
        if (name.equals("ip")) {
            return Verdict.of(addresses().contains(value));
        }
        if (name.equals("path")) {
            return folder(value);
        }
        Role role = COMMON.get(name);
        List<Fact> own = facts.fields().stream()
                .filter(fact -> fact.name().equalsIgnoreCase(name) && same(fact, value))
                .toList();
        boolean isOwn = own.stream().anyMatch(fact -> fact.read() <= rules);
        if (role == null) {
            boolean isThere =
                    facts.fields().stream().anyMatch(fact -> fact.name().equalsIgnoreCase(name));
            boolean isAsWritten = own.stream()
                    .anyMatch(fact ->
                            NUMERIC.contains(name) || folded(fact.value()).equals(value));
            boolean isOpen = isThere && facts.read() > rules || !isAsWritten && !own.isEmpty();
            return isOpen ? Verdict.OPEN : Verdict.of(isAsWritten);
        }
        List<Fact> known = facts.fields().stream()
                .filter(fact -> fact.role() == role && same(fact, value))
                .toList();
        if (facts.read() > rules || facts.open().contains(role)) {
            return Verdict.OPEN;
        }
        boolean isKnown = known.stream().anyMatch(fact -> fact.read() <= rules);
        return isKnown || isOwn ? Verdict.YES : known.isEmpty() ? Verdict.NO : Verdict.OPEN;
    }

    private static boolean same(Fact fact, String value) {
        String held = folded(fact.value());
        if (NUMERIC.contains(fact.name()) && value.matches("-?[0-9]+(\\.0)?")) {
            return Math.floor(Double.parseDouble(held)) == Double.parseDouble(value);
        }
        return fact.role() == Role.LEVEL ? level(held).equals(level(value)) : held.equals(value);
    }

    private static String level(String folded) {
        return OF_LEVELS.getOrDefault(folded, folded);
    }

    private Verdict serious(int least) {
        if (facts.read() > rules || facts.open().contains(Role.LEVEL)) {
            return Verdict.OPEN;
        }
        return Verdict.of(facts.fields().stream()
                .anyMatch(fact -> fact.role() == Role.LEVEL && LEVELS.indexOf(level(folded(fact.value()))) >= least));
    }

    /** Whether it is OPEN for a field's address that is not in the network while another one of the record is. */
    private Verdict net(Net net) {
        boolean isAny = addresses().stream().anyMatch(each -> isIn(each, net.network()));
        boolean isOwn = facts.fields().stream()
                .filter(fact -> fact.name().equalsIgnoreCase(net.name()))
                .anyMatch(fact -> isIn(fact.value(), net.network()));
        return isAny && !isOwn && !net.name().equals("ip") ? Verdict.OPEN : Verdict.of(isAny);
    }

    private Verdict range(Range range) {
        if (facts.read() > rules) {
            return Verdict.OPEN;
        }
        return Verdict.of(facts.fields().stream()
                .filter(fact -> fact.name().equalsIgnoreCase(range.name()))
                .mapToLong(fact -> (long) Math.floor(Double.parseDouble(fact.value())))
                .anyMatch(number -> number >= range.from() && number <= range.to()));
    }

    private Verdict time(String text) {
        if (facts.read() > rules) {
            return Verdict.OPEN;
        }
        boolean isYearless = facts.time().startsWith("--");
        return Verdict.of(
                isYearless
                        ? facts.time().startsWith("-" + text.substring(4))
                        : facts.time().startsWith(text));
    }

    private Verdict folder(String path) {
        List<String> paths = new ArrayList<>();
        for (String text : texts) {
            Matcher found = PATH.matcher(text);
            while (found.find()) {
                paths.add(folded(found.group()).replaceAll("[./]+$", ""));
            }
        }
        String wanted = folded(path);
        if (paths.contains(wanted)) {
            return facts.read() > rules ? Verdict.OPEN : Verdict.YES;
        }
        boolean isIn = paths.stream().anyMatch(each -> each.startsWith(wanted + "/"));
        return Verdict.of(isIn && rules > 1);
    }

    private Verdict beginning(Beginning beginning) {
        String begin = folded(beginning.text());
        if (beginning.name().isEmpty()) {
            return Verdict.of(words().stream().anyMatch(word -> word.startsWith(begin)));
        }
        Role role = COMMON.get(beginning.name());
        return Verdict.of(facts.fields().stream()
                .filter(fact -> role == null ? fact.name().equalsIgnoreCase(beginning.name()) : fact.role() == role)
                .anyMatch(fact -> folded(fact.value()).startsWith(begin)));
    }

    private Set<String> addresses() {
        Set<String> addresses = new HashSet<>();
        for (String text : texts) {
            for (Pattern pattern : List.of(IP4, IP6)) {
                Matcher found = pattern.matcher(folded(text));
                while (found.find()) {
                    addresses.add(found.group());
                }
            }
        }
        return addresses;
    }

    private static boolean isIn(String address, String network) {
        String[] parts = network.split("/");
        byte[] all = bytes(address);
        byte[] first = bytes(parts[0]);
        int behind = 8 * all.length - Integer.parseInt(parts[1]);
        return all.length == first.length
                && new BigInteger(1, all).shiftRight(behind).equals(new BigInteger(1, first).shiftRight(behind));
    }

    private static byte[] bytes(String address) {
        try {
            return InetAddress.getByName(address).getAddress(); // an address in numbers: no name is looked up
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
