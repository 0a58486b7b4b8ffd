package dev.veilgate.demo;

import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Mails to alice; two of them are urgent. */
final class SampleMails {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ENGLISH);

    private record Text(String from, String subject, String body) {}

    private static final List<Text> TEXTS = List.of(
            new Text("bruno", "Lunch on Thursday", "The new place near the station, at noon? I will book a table."),
            new Text(
                    "chiara",
                    "Minutes of the safety meeting",
                    "Please find the decisions below. The next audit is in March."),
            new Text(
                    "deniz",
                    "URGENT: furnace 2 is leaking",
                    "Coolant on the floor of hall B, we have stopped the line. Call me."),
            new Text("bruno", "Spare parts", "The gripper seals arrive on Monday; the invoice follows."),
            new Text("erik", "Offer 4711", "Attached is our offer for two presses, valid until the end of the month."),
            new Text("chiara", "Holiday plan", "Who covers the night shift in week 52? I have two volunteers so far."),
            new Text("amelie", "Badge lost", "I lost my badge yesterday, please block it at the gate."),
            new Text("deniz", "Furnace 2 again", "This is urgent, pressure rises in valve 3 and the alarm is silent."),
            new Text("erik", "Visit next week", "We would come on Wednesday with two people, if that suits you."),
            new Text("bruno", "Password policy", "From December on sixteen characters. The portal explains how."));

    private SampleMails() {}

    static List<byte[]> all(ZonedDateTime now) {
        return IntStream.range(0, TEXTS.size())
                .mapToObj(i -> message(TEXTS.get(i), i, now))
                .toList();
    }

    private static byte[] message(Text text, int number, ZonedDateTime now) {
        return """
                From: %s@plant.example
                To: %s
                Subject: %s
                Date: %s
                Message-ID: <sample-%d.%d@plant.example>
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8

                %s
                """.formatted(
                        text.from,
                        DemoSite.MAILBOX,
                        text.subject,
                        DATE.format(now.minusMinutes(90L - number)),
                        number,
                        now.toEpochSecond(),
                        text.body)
                .replace("\n", "\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
