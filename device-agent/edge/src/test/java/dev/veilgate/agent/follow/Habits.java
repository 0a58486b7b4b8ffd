package dev.veilgate.agent.follow;

import dev.veilgate.agent.follow.Habit.Link;
import dev.veilgate.agent.follow.Habit.Way;
import dev.veilgate.agent.follow.Habit.When;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/**
 * The ways of rotating a log that the agent is tried with: what can be combined, and what programs do unless they are
 * told otherwise.
 */
final class Habits {
    private static final IntFunction<String> DATES = number -> "app.log-202611" + "%02d".formatted(number);
    private static final IntFunction<String> DATES_BEFORE_EXTENSION =
            number -> "app-2026-11-" + "%02d".formatted(number) + ".log";
    private static final List<String> SUFFIXES = List.of(".gz", ".xz", ".zst", ".bz2");

    private Habits() {}

    static List<Habit> all() {
        List<Habit> all = new ArrayList<>();
        for (Way way : List.of(Way.RENAMED, Way.COPIED)) {
            all.add(habit(way, "numbers"));
            for (String suffix : SUFFIXES) {
                for (When when : List.of(When.AT_ONCE, When.LATER)) {
                    all.add(habit(way, "numbers, " + said(when, suffix)).compressed(when, suffix));
                }
            }
            all.add(habit(way, "dates").dated(DATES));
            all.add(habit(way, "dates, " + said(When.LATER, ".gz")).dated(DATES).compressed(When.LATER, ".gz"));
            for (String suffix : SUFFIXES) {
                all.add(habit(way, "dates before the extension, " + said(When.AT_ONCE, suffix))
                        .dated(DATES_BEFORE_EXTENSION)
                        .compressed(When.AT_ONCE, suffix));
            }
        }
        for (Way way : List.of(Way.RENAMED, Way.COPIED)) {
            all.add(habit(way, "numbers, in a folder below").in("archived"));
            all.add(habit(way, "numbers, in a folder below, " + said(When.AT_ONCE, ".gz"))
                    .in("archived")
                    .compressed(When.AT_ONCE, ".gz"));
            all.add(habit(way, "dates, in a folder below, " + said(When.LATER, ".zst"))
                    .in("archived")
                    .dated(DATES)
                    .compressed(When.LATER, ".zst"));
        }
        all.add(habit(Way.RENAMED, "numbers, in a folder elsewhere").in("../elsewhere"));
        all.add(habit(Way.RENAMED, "numbers, in a folder elsewhere, " + said(When.AT_ONCE, ".xz"))
                .in("../elsewhere")
                .compressed(When.AT_ONCE, ".xz"));
        for (Way way : List.of(Way.RENAMED, Way.COPIED)) {
            all.add(habit(way, "numbers, followed through a link").link(Link.TO_LOG));
            all.add(habit(way, "numbers, followed through a link, " + said(When.AT_ONCE, ".gz"))
                    .link(Link.TO_LOG)
                    .compressed(When.AT_ONCE, ".gz"));
        }
        all.add(new Habit("a link to the file of the day").link(Link.REPLACED).dated(DATES_BEFORE_EXTENSION));
        all.add(new Habit("a link to the file of the day, " + said(When.AT_ONCE, ".gz"))
                .link(Link.REPLACED)
                .dated(DATES_BEFORE_EXTENSION)
                .compressed(When.AT_ONCE, ".gz"));
        all.addAll(byName());
        return all;
    }

    /** Habits of programs by default, or as their manuals show first. */
    private static List<Habit> byName() {
        return List.of(
                new Habit("logrotate.conf of Debian: 4 kept").keeps(4),
                new Habit("rsyslog of Debian: 4 kept, gzip later")
                        .log("syslog")
                        .shifted(number -> "syslog." + number)
                        .compressed(When.LATER, ".gz")
                        .keeps(4),
                new Habit("rsyslog of Red Hat: dates, 4 kept")
                        .log("messages")
                        .dated(number -> "messages-202611" + "%02d".formatted(number))
                        .keeps(4),
                new Habit("newsyslog of FreeBSD: the newest is 0, bzip2, 7 kept")
                        .shifted(number -> "app.log." + (number - 1))
                        .compressed(When.AT_ONCE, ".bz2")
                        .keeps(7),
                new Habit("Python, TimedRotatingFileHandler")
                        .dated(number -> "app.log.2026-11-" + "%02d".formatted(number)),
                new Habit("Go, lumberjack, gzip")
                        .dated(number -> "app-2026-11-29T20-41-" + "%02d".formatted(number) + ".001.log")
                        .compressed(When.AT_ONCE, ".gz")
                        .withTimeOfCompression(),
                new Habit("logrotate with nothing said: none kept").keeps(0),
                new Habit("logback, time and size, gzip")
                        .dated(number -> "app.2026-11-29." + number + ".log")
                        .compressed(When.AT_ONCE, ".gz")
                        .withTimeOfCompression()
                        .compressedAside(),
                new Habit("logback, time").dated(number -> "app.2026-11-" + "%02d".formatted(number) + ".log"),
                new Habit("logback, fixed window of 7")
                        .shifted(number -> "app." + number + ".log")
                        .keeps(7),
                new Habit("log4j2, larger numbers are newer, gzip, 7 kept")
                        .dated(number -> "app-11-29-2026-" + number + ".log")
                        .compressed(When.AT_ONCE, ".gz")
                        .withTimeOfCompression()
                        .keeps(7),
                new Habit("log4j2, a folder for each month, gzip")
                        .dated(number -> "app-11-29-2026-" + number + ".log")
                        .in("2026-11")
                        .compressed(When.AT_ONCE, ".gz")
                        .withTimeOfCompression(),
                new Habit("Docker json-file, max-size alone: cut without a copy")
                        .log("0123456789ab-json.log")
                        .way(Way.CUT),
                new Habit("Docker json-file, max-file 3")
                        .log("0123456789ab-json.log")
                        .shifted(number -> "0123456789ab-json.log." + number)
                        .keeps(2),
                new Habit("Docker json-file, max-file 5, compress")
                        .log("0123456789ab-json.log")
                        .shifted(number -> "0123456789ab-json.log." + number)
                        .compressed(When.AT_ONCE, ".gz")
                        .withTimeOfCompression()
                        .keeps(4),
                new Habit("Kubernetes kubelet, 5 files, gzip later")
                        .log("0.log")
                        .link(Link.TO_LOG)
                        .dated(number -> "0.log.20261129-2041" + "%02d".formatted(number))
                        .compressed(When.LATER, ".gz")
                        .withTimeOfCompression()
                        .compressedAside()
                        .keeps(4));
    }

    private static Habit habit(Way way, String name) {
        return new Habit(way.name().toLowerCase(Locale.ROOT) + ", " + name).way(way);
    }

    private static String said(When when, String suffix) {
        return suffix.substring(1) + (when == When.AT_ONCE ? " at once" : " later");
    }
}
