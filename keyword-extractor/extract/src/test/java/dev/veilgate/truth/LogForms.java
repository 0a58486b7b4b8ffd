package dev.veilgate.truth;

import dev.veilgate.truth.LogFacts.Fact;
import dev.veilgate.truth.LogFacts.Role;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes what a program knew in one of the forms of logs, and says which facts the line has. */
final class LogForms {
    private static final Map<String, Integer> SYSLOG =
            Map.of("critical", 2, "error", 3, "warn", 4, "notice", 5, "info", 6, "debug", 7);
    private static final int FACILITY = 16;

    private final Random random;
    private final LogWorld.Event event;
    private final List<Fact> facts = new ArrayList<>();

    LogForms(Random random, LogWorld.Event event) {
        this.random = random;
        this.event = event;
    }

    LogFacts write() {
        return switch (random.nextInt(14)) {
            case 0, 1 -> flat();
            case 2, 3 -> ecs();
            case 4 -> gelf();
            case 5 -> telemetry();
            case 6 -> pairs();
            case 7 -> syslog();
            case 8 -> structured();
            case 9 -> access();
            case 10 -> docker();
            case 11 -> cri();
            case 12 -> random.nextBoolean() ? cef() : windows();
            default -> java();
        };
    }

    private boolean perhaps() {
        return random.nextInt(3) > 0;
    }

    private String any(String... of) {
        return of[random.nextInt(of.length)];
    }

    private String fact(String name, String value, Role role) {
        facts.add(new Fact(name, value, role));
        return value;
    }

    private LogFacts facts(String form, String line, int read, Role... open) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        roles.addAll(List.of(open));
        return new LogFacts(form, line, facts, event.text(), time(form.equals("rfc3164") ? "-" : "2026"), read, roles);
    }

    private String time(String year) {
        int[] t = event.time();
        return "%s-%02d-%02dT%02d:%02d".formatted(year, t[1], t[2], t[3], t[4]);
    }

    private String iso() {
        return time("2026") + ":07" + any("Z", ".123Z", "+00:00");
    }

    /** Another name of a level, or the same. */
    static String other(String level) {
        return switch (level) {
            case "warn" -> "warning";
            case "error" -> "err";
            case "critical" -> "crit";
            default -> level;
        };
    }

    /** A level as programs write it. */
    private String level() {
        String level = event.level();
        String other = other(level);
        return random.nextInt(4) == 0 ? other : random.nextBoolean() ? level : level.toUpperCase(Locale.ROOT);
    }

    private LogFacts flat() {
        if (perhaps()) {
            fact(any("level", "severity", "lvl", "log_level"), level(), Role.LEVEL);
        }
        if (random.nextInt(5) == 0) {
            fact("priority", any("high", "low"), Role.NONE);
        }
        if (perhaps()) {
            fact(any("host", "hostname"), event.host(), Role.HOST);
        }
        if (perhaps()) {
            fact(any("app", "service", "program"), event.app(), Role.APP);
        }
        if (random.nextBoolean()) {
            fact("pid", event.pid(), Role.PID);
        }
        if (perhaps()) {
            fact(any("user", "username"), event.user(), Role.USER);
        }
        if (random.nextInt(4) == 0) {
            fact("src_user", event.otherUser(), Role.USER);
        }
        if (perhaps()) {
            fact(any("src_ip", "client_ip", "remote_addr"), event.from(), Role.NONE);
        }
        if (random.nextBoolean()) {
            fact(any("dst_ip", "dest_ip"), event.to(), Role.NONE);
        }
        numbers();
        return json("json flat", any("msg", "message"), any("time", "timestamp", "@timestamp", "ts"));
    }

    private void numbers() {
        if (random.nextBoolean()) {
            fact("bytes", event.bytes(), Role.NONE);
        }
        if (random.nextInt(3) == 0) {
            fact("temp", event.temp(), Role.NONE);
        }
        if (random.nextInt(3) == 0) {
            fact("status", event.status(), Role.NONE);
        }
    }

    private LogFacts ecs() {
        if (perhaps()) {
            fact("log.level", level(), Role.LEVEL);
        }
        if (perhaps()) {
            fact("host.name", event.host(), Role.HOST);
        }
        if (random.nextInt(3) == 0) {
            fact("agent.hostname", any("press-4", "web01"), Role.HOST);
        }
        if (perhaps()) {
            fact("service.name", event.app(), Role.APP);
        }
        if (random.nextInt(3) == 0) {
            fact("process.name", any("bash", "sshd"), Role.APP);
        }
        if (random.nextInt(3) == 0) {
            fact("process.pid", event.pid(), Role.PID);
        }
        if (perhaps()) {
            fact("user.name", event.user(), Role.USER);
        }
        if (perhaps()) {
            fact("source.ip", event.from(), Role.NONE);
        }
        if (perhaps()) {
            fact("destination.ip", event.to(), Role.NONE);
        }
        if (random.nextInt(3) == 0) {
            fact("file.path", event.path(), Role.NONE);
        }
        numbers();
        return json("json ecs", "message", "@timestamp");
    }

    /** Names with points as they are, or objects in objects. */
    private LogFacts json(String form, String message, String time) {
        boolean isNested = random.nextBoolean();
        StringBuilder line = new StringBuilder("{\"" + time + "\":\"" + iso() + "\"");
        List<Fact> told = facts.stream().filter(fact -> !fact.name().isEmpty()).toList();
        Map<String, List<Fact>> outer = told.stream()
                .collect(Collectors.groupingBy(
                        fact -> isNested && fact.name().contains(".")
                                ? fact.name().substring(0, fact.name().indexOf('.'))
                                : "",
                        java.util.LinkedHashMap::new,
                        Collectors.toList()));
        outer.forEach((name, of) -> {
            if (!name.isEmpty()) {
                line.append(",\"").append(name).append("\":{");
                line.append(of.stream()
                        .map(fact -> pair(fact.name().substring(name.length() + 1), fact.value()))
                        .collect(Collectors.joining(",")));
                line.append('}');
            } else {
                of.forEach(fact -> line.append(',').append(pair(fact.name(), fact.value())));
            }
        });
        line.append(",\"" + message + "\":\"" + escaped(event.text()) + "\"}");
        fact(message, event.text(), Role.NONE);
        return facts(form, line.toString(), 1);
    }

    private static String pair(String name, String value) {
        boolean isNumber = value.matches("-?[0-9]+(?:\\.[0-9]+)?");
        return "\"" + name + "\":" + (isNumber ? value : "\"" + value + "\"");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\");
    }

    private LogFacts gelf() {
        int level = SYSLOG.get(event.level());
        fact("host", event.host(), Role.HOST);
        fact("level", String.valueOf(level), Role.LEVEL);
        fact("_username", event.user(), Role.NONE);
        fact("_action", any("block", "allow"), Role.NONE);
        int[] t = event.time();
        long seconds =
                java.time.LocalDateTime.of(t[0], t[1], t[2], t[3], t[4], 7).toEpochSecond(java.time.ZoneOffset.UTC);
        String line =
                "{\"version\":\"1.1\",\"host\":\"" + event.host() + "\",\"short_message\":\"" + escaped(event.text())
                        + "\",\"timestamp\":" + seconds + ".3,\"level\":" + level + ",\"_username\":\"" + event.user()
                        + "\",\"_action\":\"" + facts.getLast().value() + "\"}";
        return facts("gelf", line, 1, Role.USER);
    }

    private LogFacts telemetry() {
        fact("SeverityText", event.level().toUpperCase(Locale.ROOT), Role.LEVEL);
        fact("Resource.service.name", event.app(), Role.APP);
        fact("Resource.host.name", event.host(), Role.HOST);
        facts.add(new Fact("Attributes.user.name", event.user(), Role.USER, 2));
        String line = "{\"Timestamp\":\"" + iso() + "\",\"SeverityText\":\""
                + facts.getFirst().value()
                + "\",\"Body\":\"" + escaped(event.text()) + "\",\"Resource\":{\"service.name\":\"" + event.app()
                + "\",\"host.name\":\"" + event.host() + "\"},\"Attributes\":{\"user.name\":\"" + event.user()
                + "\"}}";
        return facts("otel", line, 1);
    }

    private LogFacts pairs() {
        StringBuilder line = new StringBuilder("time=" + iso());
        List<String[]> held = new ArrayList<>();
        held.add(new String[] {"level", fact("level", level(), Role.LEVEL)});
        held.add(new String[] {"host", fact("host", event.host(), Role.HOST)});
        held.add(new String[] {"service", fact("service", event.app(), Role.APP)});
        held.add(new String[] {"user", fact("user", event.user(), Role.USER)});
        if (random.nextBoolean()) {
            held.add(new String[] {"client.ip", fact("client.ip", event.from(), Role.NONE)});
            held.add(new String[] {"dst", fact("dst", event.to(), Role.NONE)});
        }
        held.add(new String[] {"bytes", fact("bytes", event.bytes(), Role.NONE)});
        held.forEach(pair -> line.append(' ').append(pair[0]).append('=').append(pair[1]));
        line.append(" msg=\"")
                .append(escaped(fact("msg", event.text(), Role.NONE)))
                .append('"');
        return facts("key=value", line.toString(), 1);
    }

    private String plainText() {
        if (!event.pairs()) {
            return event.text();
        }
        facts.add(new Fact("user", event.user(), Role.USER, 2));
        return event.text() + " user=" + event.user();
    }

    private LogFacts syslog() {
        int[] t = event.time();
        fact("", event.host(), Role.HOST);
        fact("", event.app(), Role.APP);
        fact("", event.pid(), Role.PID);
        String line = "Nov %02d %02d:%02d:07 %s %s[%s]: %s"
                .formatted(t[2], t[3], t[4], event.host(), event.app(), event.pid(), plainText());
        if (random.nextBoolean()) {
            fact("", event.level(), Role.LEVEL);
            line = "<" + (FACILITY * 8 + SYSLOG.get(event.level())) + ">" + line;
        }
        return facts("rfc3164", line, 1);
    }

    private LogFacts structured() {
        fact("", event.host(), Role.HOST);
        fact("", event.app(), Role.APP);
        fact("", event.pid(), Role.PID);
        fact("", event.level(), Role.LEVEL);
        fact("user", event.user(), Role.USER);
        fact("src_ip", event.from(), Role.NONE);
        fact("dst_ip", event.to(), Role.NONE);
        String line = "<%d>1 %s %s %s %s - [ex@32473 user=\"%s\" src_ip=\"%s\" dst_ip=\"%s\"] %s"
                .formatted(
                        FACILITY * 8 + SYSLOG.get(event.level()),
                        iso(),
                        event.host(),
                        event.app(),
                        event.pid(),
                        event.user(),
                        event.from(),
                        event.to(),
                        event.text());
        return facts("rfc5424", line, 1);
    }

    private String accessLine() {
        int[] t = event.time();
        fact("client_ip", event.from(), Role.NONE);
        fact("user", event.user(), Role.USER);
        fact("status", event.status(), Role.NONE);
        fact("bytes", event.bytes(), Role.NONE);
        fact("method", any("GET", "POST"), Role.NONE);
        fact("path", event.path(), Role.NONE);
        return "%s - %s [%02d/Nov/2026:%02d:%02d:07 +0000] \"%s %s HTTP/1.1\" %s %s"
                .formatted(
                        event.from(),
                        event.user(),
                        t[2],
                        t[3],
                        t[4],
                        facts.get(4).value(),
                        event.path(),
                        event.status(),
                        event.bytes());
    }

    private LogFacts access() {
        String line = accessLine();
        return new LogFacts("access log", line, facts, "", time("2026"), 2, Set.of(Role.APP, Role.HOST, Role.LEVEL));
    }

    private String javaLine() {
        facts.add(new Fact("", event.level(), Role.LEVEL));
        return "%s:07,123 %s [main] com.shop.Worker - %s"
                .formatted(time("2026").replace('T', ' '), event.level().toUpperCase(Locale.ROOT), plainText());
    }

    private LogFacts java() {
        return facts("java", javaLine(), 1, Role.APP, Role.PID, Role.HOST);
    }

    private LogFacts docker() {
        String line = "{\"log\":\"" + escaped(javaLine()) + "\\n\",\"stream\":\"" + fact("stream", "stdout", Role.NONE)
                + "\",\"time\":\"" + time("2026") + ":07.123456789Z\"}";
        return facts("docker", line, 2, Role.APP, Role.PID, Role.HOST);
    }

    private LogFacts cri() {
        String line = time("2026") + ":07.123456789Z " + fact("stream", "stdout", Role.NONE) + " F " + javaLine();
        return facts("cri", line, 2, Role.APP, Role.PID, Role.HOST);
    }

    private LogFacts cef() {
        fact("", "threatgate", Role.APP);
        fact("suser", event.user(), Role.USER);
        fact("shost", event.host(), Role.HOST);
        fact("src", event.from(), Role.NONE);
        fact("dst", event.to(), Role.NONE);
        fact("msg", event.text(), Role.NONE);
        int[] t = event.time();
        long millis =
                java.time.LocalDateTime.of(t[0], t[1], t[2], t[3], t[4], 7).toEpochSecond(java.time.ZoneOffset.UTC)
                        * 1000;
        String line = "CEF:0|Acme|threatgate|1.0|4711|blocked|5|src=%s dst=%s suser=%s shost=%s rt=%d msg=%s"
                .formatted(
                        event.from(),
                        event.to(),
                        event.user(),
                        event.host(),
                        millis,
                        escaped(event.text()).replace("=", "\\="));
        return facts("cef", line, 2, Role.LEVEL);
    }

    private LogFacts windows() {
        fact("winlog.computer_name", event.host(), Role.HOST);
        fact("winlog.event_id", any("41", "1000", "6005"), Role.NONE);
        fact("log.level", "information", Role.LEVEL);
        fact("user.name", event.user(), Role.USER);
        LogFacts written = json("windows", "message", "@timestamp");
        return new LogFacts(
                "windows", written.line(), written.fields(), written.text(), written.time(), 1, Set.of(Role.APP));
    }
}
