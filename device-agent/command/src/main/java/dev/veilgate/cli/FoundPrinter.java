package dev.veilgate.cli;

import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.reading.OtherTimes;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Prints what a search found, and counts it. */
final class FoundPrinter {
    private final Terminal terminal;
    private final boolean json;
    private final boolean withName;
    private final long limit;
    private final boolean knowsSenders;
    private long found;
    private long unproven;
    private static final int MOST_UNCHECKED = 100;

    private long otherwiseSigned;
    private long unchecked;
    private long undated;
    private OtherTimes others = OtherTimes.NONE;

    /**
     * @param limit        most records and mails
     * @param knowsSenders whether a record without a sender is one that no registered sender signed
     */
    FoundPrinter(Terminal terminal, boolean json, boolean withName, long limit, boolean knowsSenders) {
        this.terminal = terminal;
        this.limit = limit;
        this.json = json;
        this.withName = withName;
        this.knowsSenders = knowsSenders;
    }

    /** How many were printed. */
    long found() {
        return found;
    }

    /** Whether no more are wanted. */
    boolean isFull() {
        return found >= limit;
    }

    void record(FoundRecord record) {
        found++;
        unproven += record.sender().isEmpty() ? 1 : 0;
        byte[] content = record.content();
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("envelope", record.envelope().toString());
            line.put("sender", record.sender());
            if (!record.origin().isEmpty()) {
                line.put("origin", record.origin());
            }
            line.put("sequence", record.sequence());
            line.put("record", record.ordinal());
            put(line, record.time());
            line.put("text", new String(content, StandardCharsets.UTF_8));
            terminal.out().println(Json.of(line));
            return;
        }
        if (withName) {
            terminal.out()
                    .print(orDash(record.sender()) + " " + orDash(record.origin()) + " " + record.sequence() + ":"
                            + record.ordinal() + ": ");
        }
        terminal.out().write(content, 0, content.length);
        if (content.length == 0 || content[content.length - 1] != '\n') {
            terminal.out().write('\n');
        }
    }

    /** A mail of which only the index is at hand. */
    void mail(UUID envelope) {
        found++;
        terminal.out().println("mail " + envelope);
    }

    void mail(OpenedMail mail, EventTime time) {
        found++;
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("envelope", mail.envelope().toString());
            put(line, time);
            line.put("date", mail.date());
            line.put("from", mail.from());
            line.put("to", mail.to());
            line.put("subject", mail.subject());
            line.put("signed", mail.author().kind().label());
            if (!mail.author().address().isEmpty()) {
                line.put("signedBy", mail.author().address());
            }
            if (!mail.altered().isEmpty()) {
                line.put("altered", mail.altered());
            }
            terminal.out().println(Json.of(line));
            return;
        }
        terminal.out().println((withName ? mail.envelope() + " " : "") + line(mail));
        if (!mail.altered().isEmpty()) {
            terminal.err()
                    .println("warning: " + mail.envelope() + ": its header outside says something else than the sealed"
                            + " mail: " + Printable.of(String.join(", ", mail.altered())));
        }
    }

    private static String line(OpenedMail mail) {
        return "[" // first, where nobody else's text can stand
                + Printable.of(mail.author().words()) + "] " + orDash(mail.date()) + "  " + orDash(mail.from())
                + " -> " + orDash(mail.to()) + ": " + Printable.of(mail.subject());
    }

    private static void put(Map<String, Object> line, EventTime time) {
        line.put("time", time.at().toString());
        line.put("timeSource", time.source().label());
    }

    /** Counts a mail that was found and has no date, or one that cannot be. */
    void countUndated() {
        undated++;
    }

    /** Counts what was found and is of another time than was asked for. */
    void leaveOut(EventTime time) {
        others = others.and(time);
    }

    /** Counts a mail that was found and is signed by others than were asked for. */
    void leaveOutSigned() {
        otherwiseSigned++;
    }

    /** Names a mail that may be what was searched for: its attachments take too long to be read. It is not counted. */
    void leaveUnchecked(OpenedMail mail) {
        if (++unchecked <= MOST_UNCHECKED) {
            terminal.err().println("not checked: " + mail.envelope() + " " + line(mail));
        }
    }

    /** What is to be said when all is printed. */
    void end() {
        if (unchecked > 0) {
            terminal.err()
                    .println("note: " + unchecked + (unchecked == 1 ? " mail is" : " mails are")
                            + " not checked, since reading attachments takes too long;"
                            + " --attachment-time 10 takes ten times as long");
        }
        if (otherwiseSigned > 0) {
            terminal.err()
                    .println("note: " + otherwiseSigned
                            + (otherwiseSigned == 1 ? " more is" : " more are")
                            + " signed by others; --signed leaves that out");
        }
        if (undated > 0) {
            terminal.err()
                    .println("note: " + undated + (undated == 1 ? " mail has" : " mails have")
                            + " no date, or one that cannot be: the time of sealing counts instead");
        }
        if (!others.isEmpty()) {
            String span = others.count() == 1
                    ? " more is of another time, " + others.earliest()
                    : " more are of other times, " + others.earliest() + " to " + others.latest();
            terminal.err().println("note: " + others.count() + span + "; --from and --to leave that out");
        }
        if (unproven > 0 && knowsSenders) {
            terminal.err().println("warning: " + unproven + " records found are not signed by a registered sender");
        }
    }

    private static String orDash(String name) {
        return name.isEmpty() ? "-" : Printable.of(name);
    }
}
