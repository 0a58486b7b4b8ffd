package dev.veilgate.acceptance;

import dev.veilgate.peks.Keyword;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeSet;

/** What to search for. */
final class KeywordSample {
    private static final int KEYWORDS = 480;
    private static final int ABSENT_KEYWORDS = 48;
    private static final int BY_COMMAND = 24;

    /** Places among {@link #typed}: a range of numbers. */
    static final int RANGE = 0;
    /** What no record has. */
    static final int ABSENT = 3;

    static final int EXPRESSION = 5;
    /** A keyword of a field, in quotes. */
    static final int FIRST_OF_FIELD = 7;

    private KeywordSample() {}

    /** Keywords of all fields in turn, the fields with few of them wholly; then some that no record has. */
    static List<Keyword> of(PlainSearch plain, Random random) {
        SortedMap<String, TreeSet<Keyword>> all = plain.keywords();
        List<Iterator<Keyword>> fields = new ArrayList<>();
        for (TreeSet<Keyword> field : all.values()) {
            List<Keyword> shuffled = new ArrayList<>(field);
            Collections.shuffle(shuffled, random);
            fields.add(shuffled.iterator());
        }
        List<Keyword> sample = new ArrayList<>();
        while (sample.size() < KEYWORDS - ABSENT_KEYWORDS && fields.stream().anyMatch(Iterator::hasNext)) {
            fields.stream().filter(Iterator::hasNext).forEach(field -> sample.add(field.next()));
        }
        List<String> names = List.copyOf(all.keySet());
        List<Keyword> words = new ArrayList<>(all.get("word"));
        for (int tries = 0, absent = 0; absent < ABSENT_KEYWORDS; tries++) {
            Keyword some = words.get(random.nextInt(words.size()));
            Keyword made = switch (tries % 3) {
                case 0 -> Keyword.text(names.get(random.nextInt(names.size())), some.value());
                case 1 -> Keyword.text("word", some.value() + (char) ('a' + random.nextInt(26)));
                default -> Keyword.text("number", String.valueOf(random.nextInt(1_000_000_000)));
            };
            if (all.values().stream().noneMatch(field -> field.contains(made))) {
                sample.add(made);
                absent++;
            }
        }
        return sample;
    }

    /** Keywords of all fields as they are typed, ranges, and what no record has. */
    static List<String> typed(PlainSearch plain, Random random) {
        SortedMap<String, TreeSet<Keyword>> all = plain.keywords();
        List<String> queries = new ArrayList<>(List.of(
                "policy:1..700",
                "time:2005-06",
                "time:12-10T09:13",
                "nowhere in any record",
                "source:nowhere",
                "level:error AND (word:block OR app:sshd) AND NOT number:0",
                "(root OR \"10.0.0.1\" OR failed) NOT (time:12-10T09 OR password)"));
        List<String> names = all.keySet().stream()
                .filter(name -> !name.equals("time")
                        && plain.profile().numericField(name).isEmpty())
                .toList();
        for (int i = 0; queries.size() < BY_COMMAND; i++) {
            List<Keyword> field = List.copyOf(all.get(names.get(i % names.size())));
            Keyword keyword = field.get(random.nextInt(field.size()));
            String value = keyword.value().replace("\\", "\\\\").replace("\"", "\\\"");
            queries.add(keyword.field() + ":\"" + value + '"');
        }
        return queries;
    }
}
