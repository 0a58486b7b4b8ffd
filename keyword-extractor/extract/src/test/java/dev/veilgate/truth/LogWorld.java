package dev.veilgate.truth;

import dev.veilgate.truth.LogFacts.Fact;
import dev.veilgate.truth.LogFacts.Role;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** Random log records as facts, each written in one form of {@link LogForms}. */
final class LogWorld {
    static final List<String> WORDS = List.of(
            "disk",
            "full",
            "timeout",
            "failed",
            "login",
            "refused",
            "connection",
            "payment",
            "invoice",
            "pump",
            "valve",
            "stopped",
            "started",
            "overheat",
            "quota",
            "mirror");
    private static final List<String> USERS = List.of("root", "ada", "bob", "eve.k", "svc-web", "Mallory");
    private static final List<String> HOSTS = List.of("press-4", "oven-1", "web01", "db.plant.example");
    private static final List<String> APPS = List.of("sshd", "nginx", "shop-api", "cron", "billing");
    private static final List<String> LEVELS = List.of("debug", "info", "notice", "warn", "error", "critical");
    private static final List<String> ADDRESSES = List.of(
            "10.0.0.5", "10.0.0.7", "10.0.0.9", "10.0.1.7", "10.9.8.7", "192.168.3.4", "2001:db8::7", "2001:db8:5::9");
    private static final List<String> PATHS = List.of(
            "/var/log/app.log",
            "/var/log/audit/day.log",
            "/var/lib/docker/overlay2/x",
            "/etc/passwd",
            "/srv/data/in",
            "/api/v1/orders");
    private static final List<String> UNSPACED = List.of(
            "\u6570\u636e\u5e93\u8fde\u63a5\u5931\u8d25",
            "\u65e5\u672c\u8a9e\u30c6\u30ad\u30b9\u30c8",
            "\u78c1\u76d8\u7a7a\u95f4\u4e0d\u8db3");

    /** Pieces of messages whose signs mean something in languages of queries. */
    static final List<String> COPIED = List.of(
            "rm -rf",
            "exit code -1",
            "timeout=30s",
            "panic: runtime error",
            "OrderService.java:42",
            "pam_unix(sshd:session)",
            "retry-after:",
            "key->value",
            "errno=0x1f",
            "user not found",
            "size<10",
            "x|y",
            "(null)",
            "#42",
            "50%",
            "std::vector",
            "it's late",
            "read/write",
            "a.b.c",
            "job[7]:",
            "x=1,y=2",
            "--verbose",
            "up and running",
            "v1.2.3",
            "https://a.example/x?y=1",
            "C:\\Temp\\x",
            "$HOME",
            "100..200",
            "a*b",
            "wait!",
            "&amp;",
            "{name}",
            "<init>",
            "@home",
            "~tmp",
            "10:10:5");

    /** Fields that are searched by words: {@code message:disk} of other products is a word of the text. */
    private static final Set<String> TEXTS = Set.of("msg", "message");

    /** Content of a record before it has a form: what a program knew when it wrote. */
    record Event(
            String level,
            String host,
            String app,
            String pid,
            String user,
            String otherUser,
            String from,
            String to,
            String bytes,
            String temp,
            String status,
            String path,
            List<String> words,
            String unspaced,
            boolean pairs,
            int[] time) {
        String text() {
            List<String> text = new ArrayList<>(words);
            if (!unspaced.isEmpty()) {
                text.add(unspaced);
            }
            return String.join(" ", text);
        }
    }

    private final Random random;
    private final List<String> users;
    private final List<String> hosts;
    private final List<String> apps;
    private final List<String> levels;
    private final List<String> addresses;
    private final List<String> paths;
    private final List<String> words;
    private final List<String> unspaced;
    private final List<String> copied;

    /** Few values of each kind, so that records and questions meet. */
    LogWorld(Random random) {
        this.random = random;
        users = some(USERS, 3);
        hosts = some(HOSTS, 3);
        apps = some(APPS, 3);
        levels = some(LEVELS, 4);
        addresses = some(ADDRESSES, 4);
        paths = some(PATHS, 3);
        words = some(WORDS, 6);
        unspaced = some(UNSPACED, 2);
        copied = some(COPIED, 2);
    }

    private List<String> some(List<String> of, int count) {
        List<String> mixed = new ArrayList<>(of);
        Collections.shuffle(mixed, random);
        return List.copyOf(mixed.subList(0, count));
    }

    <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** A new record. */
    LogFacts record() {
        int[] time = {2026, 11, 20 + random.nextInt(2), 12 + random.nextInt(2), 20 + random.nextInt(3)};
        List<String> text = new ArrayList<>(some(words, 2 + random.nextInt(2)));
        if (random.nextInt(4) == 0) {
            text.add(any(paths));
        }
        if (random.nextInt(3) == 0) {
            text.add(any(copied));
        }
        if (random.nextInt(6) == 0) {
            text.add(any(copied).split("[^\\p{L}\\p{N}]", 2)[0]); // a part of it alone
        }
        if (random.nextInt(4) == 0) {
            text.add("from");
            text.add(any(addresses));
        }
        Event event = new Event(
                any(levels),
                any(hosts),
                any(apps),
                String.valueOf(100 + random.nextInt(5)),
                any(users),
                any(users),
                any(addresses),
                any(addresses),
                String.valueOf(random.nextInt(8) * 100),
                String.format(Locale.ROOT, "%.1f", random.nextInt(600, 900) / 10.0),
                any(List.of("200", "404", "500")),
                any(paths),
                text,
                random.nextInt(5) == 0 ? any(unspaced) : "",
                random.nextInt(6) == 0,
                time);
        return new LogForms(random, event).write();
    }

    /** A question of which some record is an answer. */
    Meaning meaning(List<LogFacts> records, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 9);
        if (kind <= 3) {
            return atom(records);
        }
        if (kind == 4) {
            String name = "";
            for (int tries = 0; tries < 8 && name.isEmpty(); tries++) {
                Meaning has = field(any(records));
                name = has instanceof Meaning.Has one ? one.name() : "";
                if (has instanceof Meaning.Has one) {
                    List<Meaning> values = new ArrayList<>(List.of(one));
                    for (LogFacts each : records) {
                        each.fields().stream()
                                .filter(fact -> fact.name().equals(one.name())
                                        && !fact.value().equals(one.value()))
                                .limit(1)
                                .forEach(fact -> values.add(new Meaning.Has(one.name(), fact.value())));
                    }
                    return new Meaning.Or(values.stream().distinct().limit(2).toList());
                }
            }
            return atom(records);
        }
        List<Meaning> members = new ArrayList<>();
        int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            Meaning member = meaning(records, depth - 1);
            boolean isNegated = kind >= 6 && i > 0 && random.nextBoolean();
            members.add(isNegated ? new Meaning.Not(member) : member);
        }
        return kind == 5 ? new Meaning.Or(members) : new Meaning.And(members);
    }

    private Meaning atom(List<LogFacts> records) {
        LogFacts record = any(records);
        return switch (random.nextInt(16)) {
            case 0, 1 -> new Meaning.Word(any(words));
            case 2 -> phrase(record);
            case 3 -> common(record);
            case 4 ->
                random.nextInt(5) == 0 && field(record) instanceof Meaning.Has has
                        ? new Meaning.Any(has.name())
                        : new Meaning.Has("ip", any(addresses));
            case 5 -> network();
            case 6 -> range(record);
            case 7 -> time(record);
            case 8 -> new Meaning.Folder(folder());
            case 9 -> unspaced(record);
            case 10 ->
                random.nextInt(3) == 0
                        ? new Meaning.Serious(any(List.of("warn", "error", "info")))
                        : new Meaning.Beginning(
                                random.nextBoolean() ? "" : "host",
                                any(random.nextBoolean() ? beginnings() : hosts).substring(0, 4));
            case 11 -> new Meaning.Copied(any(copied));
            default -> field(record);
        };
    }

    /** Words that begin otherwise than a key that records have. */
    private List<String> beginnings() {
        return words.stream().filter(word -> !word.startsWith("time")).toList();
    }

    private Meaning phrase(LogFacts record) {
        List<String> of = List.of(record.text().split(" "));
        boolean isPlain = of.size() > 1 && WORDS.contains(of.get(0)) && WORDS.contains(of.get(1));
        return isPlain ? new Meaning.Phrase(of.subList(0, 2)) : new Meaning.Word(any(words));
    }

    private Meaning common(LogFacts record) {
        String name = any(List.of("level", "level", "host", "app", "pid", "user"));
        Role role = Role.valueOf(name.toUpperCase(Locale.ROOT));
        List<String> held = record.fields().stream()
                .filter(fact -> fact.role() == role && !fact.value().matches("[0-9]"))
                .map(Fact::value)
                .toList();
        String value = held.isEmpty() ? any(levels) : any(held);
        return new Meaning.Has(name, name.equals("level") ? any(List.of(value, LogForms.other(value))) : value);
    }

    private Meaning field(LogFacts record) {
        List<Fact> named = record.fields().stream()
                .filter(fact -> !fact.name().isEmpty() && !TEXTS.contains(fact.name()))
                .toList();
        if (named.isEmpty()) {
            return common(record);
        }
        Fact fact = any(named);
        boolean isAddress = ADDRESSES.contains(fact.value());
        if (isAddress && fact.value().startsWith("10.") && random.nextInt(6) == 0) {
            return new Meaning.Net(fact.name(), "10.0.0.0/" + any(List.of("8", "16", "24")));
        }
        return new Meaning.Has(fact.name(), isAddress ? any(addresses) : fact.value());
    }

    private Meaning network() {
        return new Meaning.Net(
                "ip", any(List.of("10.0.0.0/8", "10.0.0.0/24", "10.0.0.0/30", "192.168.0.0/16", "2001:db8::/32")));
    }

    private Meaning range(LogFacts record) {
        boolean hasBytes = record.fields().stream().anyMatch(fact -> fact.name().equals("bytes"));
        String name = random.nextInt(8) == 0 ? "status" : hasBytes ? "bytes" : "temp";
        long from =
                name.equals("status") ? 400 : name.equals("bytes") ? random.nextInt(6) * 100L : 60 + random.nextInt(20);
        return switch (random.nextInt(3)) {
            case 0 -> new Meaning.Range(name, from, Long.MAX_VALUE);
            case 1 -> new Meaning.Range(name, Long.MIN_VALUE, from);
            default -> new Meaning.Range(name, from, from + (name.equals("bytes") ? 200 : 9));
        };
    }

    private Meaning time(LogFacts record) {
        String time = record.time().startsWith("--") ? "2026" + record.time().substring(1) : record.time();
        return new Meaning.Time(time.substring(0, any(List.of(7, 10, 13, 16))));
    }

    private String folder() {
        String path = any(paths);
        int end = path.lastIndexOf('/');
        return end > 0 && random.nextBoolean() ? path.substring(0, end) : path;
    }

    private Meaning unspaced(LogFacts record) {
        String text = any(unspaced);
        boolean isThere = record.text().contains(text);
        return new Meaning.Unspaced(isThere && random.nextBoolean() ? text : text.substring(0, 3));
    }
}
