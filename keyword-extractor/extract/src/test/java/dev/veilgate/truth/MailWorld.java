package dev.veilgate.truth;

import dev.veilgate.truth.MailFacts.Address;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

/** Random mails as facts, written in legal odd forms, and questions of them. */
final class MailWorld {
    private static final List<String> WORDS =
            List.of("pump", "report", "invoice", "payment", "quarterly", "urgent", "meeting", "valve", "delivery");
    private static final List<Address> PEOPLE = List.of(
            new Address("", "Alice Smith", "alice@example.org"),
            new Address("", "Bob", "bob@plant.example"),
            new Address("", "", "mallory@evil.example"),
            new Address("", "Smith, Carol", "c.smith@plant.example"),
            new Address("", "J\u00f6rg M\u00fcller", "joerg@example.org"),
            new Address("", "Ops Team", "ops-team@sub.example.org"));
    private static final List<String> FILES =
            List.of("quartal.pdf", "plan 2026.xlsx", "skizze.png", "bericht.final.pdf", "\u00fcbersicht.pdf");
    private static final List<String> UNSPACED =
            List.of("\u6570\u636e\u5e93\u8fde\u63a5\u5931\u8d25", "\u65e5\u672c\u8a9e\u30c6\u30ad\u30b9\u30c8");
    private static final List<String> COPIED = List.of(
            "Re: offer",
            "it's late",
            "rm -rf",
            "pump/valve",
            "invoice #42",
            "50%",
            "C++",
            "and so on",
            "AW: offer",
            "terms & conditions",
            "1,200.50",
            "(draft)",
            "https://a.example/x?y=1",
            "call me at 5",
            "not found");
    private static final List<String> MONTHS = List.of("Oct", "Nov", "Dec");

    private final Random random;
    private final List<Address> people;
    private final List<String> words;
    private final List<String> files;
    private final List<String> copied;

    MailWorld(Random random) {
        this.random = random;
        people = some(PEOPLE, 4);
        words = some(WORDS, 6);
        files = some(FILES, 3);
        copied = some(COPIED, 2);
    }

    private <T> List<T> some(List<T> of, int count) {
        List<T> mixed = new ArrayList<>(of);
        Collections.shuffle(mixed, random);
        return List.copyOf(mixed.subList(0, count));
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    MailFacts mail() {
        List<Address> all = new ArrayList<>();
        StringBuilder header = new StringBuilder();
        for (String field : List.of("from", "to", "cc")) {
            int count = field.equals("from") ? 1 : field.equals("to") ? 1 + random.nextInt(2) : random.nextInt(2);
            List<Address> of = some(people, count).stream()
                    .map(each -> new Address(field, each.name(), each.address()))
                    .toList();
            all.addAll(of);
            if (count > 0) {
                String name = any(List.of(field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1), field));
                header.append(name)
                        .append(any(List.of(": ", ":", " : ".substring(1))))
                        .append(of.stream().map(this::written).collect(Collectors.joining(any(List.of(", ", ",\n\t")))))
                        .append('\n');
            }
        }
        String subject = String.join(" ", some(words, 1 + random.nextInt(3)));
        boolean isUnspaced = random.nextInt(5) == 0;
        String shown = isUnspaced ? subject + " " + any(UNSPACED) : subject;
        header.append("Subject: ").append(isUnspaced || random.nextInt(4) == 0 ? encoded(shown) : folded(subject));
        int day = 20 + random.nextInt(3);
        int month = random.nextInt(3) + 10;
        int form = random.nextInt(5);
        header.append("\nDate: ").append(date(form, day, month)).append("\nMIME-Version: 1.0\n");
        String text = String.join(" ", some(words, 2 + random.nextInt(2)));
        if (random.nextInt(3) == 0) {
            text += " " + any(copied);
        }
        if (random.nextInt(6) == 0) {
            text += " " + any(copied).split("[^\\p{L}\\p{N}]", 2)[0];
        }
        List<String> attached = random.nextInt(3) == 0 ? some(files, 1) : List.of();
        String mail = header + (attached.isEmpty() ? plain(text) : mixed(text, attached.getFirst()));
        return new MailFacts(
                "mail", mail, all, shown, text, attached, "2026-%02d-%02d".formatted(month, day), form > 0 ? 2 : 1);
    }

    private String written(Address person) {
        if (person.name().isEmpty()) {
            return random.nextBoolean() ? person.address() : "<" + person.address() + ">";
        }
        boolean isAscii = person.name().chars().allMatch(c -> c < 0x80);
        String name = !isAscii
                ? encoded(person.name())
                : person.name().contains(",") || random.nextBoolean() ? '"' + person.name() + '"' : person.name();
        return random.nextInt(6) == 0 && isAscii && !person.name().contains(",")
                ? person.address() + " (" + person.name() + ")"
                : name + any(List.of(" ", " ", "\n ")) + "<" + person.address() + ">";
    }

    private static String encoded(String text) {
        return "=?utf-8?B?" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + "?=";
    }

    /** On several lines, sometimes. */
    private String folded(String text) {
        return random.nextInt(3) == 0 ? text.replaceFirst(" ", "\n ") : text;
    }

    /** A date of one day in UTC: by RFC 5322, with an offset, with an obsolete zone, and in other forms. */
    private String date(int form, int day, int month) {
        String name = MONTHS.get(month - 10);
        return switch (form) {
            case 0 -> "%02d %s 2026 12:23:01 +0000".formatted(day, name);
            case 1 -> "%d %s 2026 22:30:00 -0100 (late)".formatted(day, name);
            case 2 -> "%02d %s 26 10:00:00 EST".formatted(day, name);
            case 3 -> "2026-%02d-%02dT10:00:00Z".formatted(month, day);
            default -> "%d %s 2026 1:23 GMT".formatted(day, name);
        };
    }

    private String plain(String text) {
        if (random.nextInt(3) > 0) {
            return "Content-Type: text/plain; charset=utf-8\n\n" + text + "\n";
        }
        return "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
                + Base64.getMimeEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + "\n";
    }

    private String mixed(String text, String file) {
        boolean isAscii = file.chars().allMatch(c -> c < 0x80);
        String name = isAscii
                ? "filename=\"" + file + '"'
                : "filename*=utf-8''"
                        + java.net.URLEncoder.encode(file, StandardCharsets.UTF_8)
                                .replace("+", "%20");
        return "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n" + text
                + "\n--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; " + name
                + "\n\nx\n--b--\n";
    }

    Meaning meaning(List<MailFacts> mails, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 8);
        if (kind <= 3) {
            return atom(any(mails));
        }
        List<Meaning> members = new ArrayList<>();
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            Meaning member = meaning(mails, depth - 1);
            boolean isNegated = kind >= 6 && !members.isEmpty() && random.nextBoolean();
            members.add(isNegated ? new Meaning.Not(member) : member);
        }
        return kind <= 5 ? new Meaning.Or(members) : new Meaning.And(members);
    }

    private Meaning atom(MailFacts mail) {
        return switch (random.nextInt(11)) {
            case 0 -> new Meaning.Word(any(words));
            case 1 -> random.nextBoolean() ? new Meaning.Word(any(words)) : new Meaning.Copied(any(copied));
            case 2 -> {
                List<String> of = List.of(mail.text().split(" "));
                yield new Meaning.Phrase(of.subList(0, 2));
            }
            case 3, 4, 5 -> person(mail);
            case 6 -> new Meaning.Subject(some(words, 1 + random.nextInt(2)));
            case 7 ->
                random.nextBoolean()
                        ? new Meaning.Attached(any(List.of("*.pdf", "*.png")))
                        : new Meaning.Attached(any(files.stream()
                                .filter(file -> !file.contains(" "))
                                .toList()));
            case 8 -> random.nextInt(3) == 0 ? new Meaning.AnyAttached() : new Meaning.Day(mail.day());
            case 9 -> new Meaning.Span(mail.day(), random.nextBoolean());
            default ->
                mail.subject().length() > 8 && random.nextBoolean()
                        ? new Meaning.Unspaced(any(UNSPACED).substring(0, 4))
                        : new Meaning.Day(mail.day().substring(0, 7));
        };
    }

    private Meaning person(MailFacts mail) {
        Address person = any(mail.people());
        String address = person.address();
        String domain = address.substring(address.indexOf('@') + 1);
        String value = switch (random.nextInt(5)) {
            case 0 -> address;
            case 1 -> "@" + domain;
            case 2 -> domain;
            case 3 -> person.name().isEmpty() ? address : person.name().replace(",", "");
            default -> address.substring(0, address.indexOf('@'));
        };
        return new Meaning.Person(random.nextInt(4) == 0 ? "to" : person.field(), value);
    }
}
