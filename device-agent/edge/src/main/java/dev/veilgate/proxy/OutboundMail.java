package dev.veilgate.proxy;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An item of the {@link OutboundSpool}: first sent, then, if it was refused for good, reported to its sender, and kept until that report was taken. Its state is a file
 * of deterministic CBOR, replaced as a whole. For one thread at a time.
 */
final class OutboundMail {
    private static final String STATE = "state";
    private static final String REPORT = "report.eml";
    private static final int VERSION = 3;
    private static final int MAX_TEXT = 4096;
    private static final int MAX_ITEMS = 1 << 20;

    private final Path folder;
    private final String key;
    private final String sender;
    private final Instant created;
    private final List<Copy> copies;
    private int attempts;
    private Instant next;
    /** Whether it waits for nothing but a connection. */
    private boolean unconnected;
    /** Connections that broke while it was sent; not kept. */
    private int broken;
    /** When the report on it was written; the epoch if it is not being reported. */
    private Instant reporting = Instant.EPOCH;

    /** A copy, and whom it still has to reach. */
    static final class Copy {
        private final String file;
        private final List<String> waiting;
        private final List<String> failed;

        Copy(String file, List<String> waiting, List<String> failed) {
            this.file = file;
            this.waiting = new ArrayList<>(waiting);
            this.failed = new ArrayList<>(failed);
        }

        /** Recipients that wait. */
        List<String> waiting() {
            return List.copyOf(waiting);
        }

        /** Recipients that were refused for good. */
        List<String> failed() {
            return List.copyOf(failed);
        }

        void reached(String recipient) {
            waiting.remove(recipient);
        }

        void refused(String recipient) {
            if (waiting.remove(recipient)) {
                failed.add(recipient);
            }
        }
    }

    private OutboundMail(
            Path folder, String key, String sender, Instant created, List<Copy> copies, int attempts, Instant next) {
        this.folder = folder;
        this.key = key;
        this.sender = sender;
        this.created = created;
        this.copies = copies;
        this.attempts = attempts;
        this.next = next;
    }

    static OutboundMail made(Path folder, String key, String sender, List<SealedCopy> copies, Instant now) {
        List<Copy> made = copies.stream()
                .map(c -> new Copy(c.file().getFileName().toString(), c.recipients(), List.of()))
                .toList();
        return new OutboundMail(folder, key, sender, now, made, 0, now);
    }

    String id() {
        return folder.getFileName().toString();
    }

    Path folder() {
        return folder;
    }

    String key() {
        return key;
    }

    String sender() {
        return sender;
    }

    Instant created() {
        return created;
    }

    List<Copy> copies() {
        return copies;
    }

    Path file(Copy copy) {
        return folder.resolve(copy.file);
    }

    int attempts() {
        return attempts;
    }

    Instant next() {
        return next;
    }

    boolean isWaiting() {
        return copies.stream().anyMatch(c -> !c.waiting.isEmpty());
    }

    boolean hasFailed() {
        return copies.stream().anyMatch(c -> !c.failed.isEmpty());
    }

    /** All who wait will wait no longer. */
    void giveUp() {
        copies.forEach(c -> c.waiting().forEach(c::refused));
    }

    /** Where the report to its sender is. */
    Path report() {
        return folder.resolve(REPORT);
    }

    /** Whether nothing is left to do but to bring {@link #report} to the sender. */
    boolean isReporting() {
        return reporting.isAfter(Instant.EPOCH);
    }

    /** All who were refused wait again: whoever puts the item back into the queue has it sent. */
    void startOver() {
        for (Copy copy : copies) {
            copy.waiting.addAll(copy.failed);
            copy.failed.clear();
        }
        reporting = Instant.EPOCH;
        attempts = 0;
        unconnected = false;
    }

    /** When {@link #report} was written. */
    Instant reporting() {
        return reporting;
    }

    /** From now on {@link #report}, which is on disk, is what is to be sent. */
    void reportFrom(Instant now) {
        reporting = now;
        attempts = 0;
        next = now;
    }

    void attempted(Instant nextAttempt) {
        attempts++;
        next = nextAttempt;
        unconnected = false;
    }

    /** The last attempt failed for want of a connection only: it need not wait for its next one when there is a connection. */
    void awaitConnection() {
        unconnected = true;
    }

    /** Whether it waits for nothing but a connection. */
    boolean isUnconnected() {
        return unconnected;
    }

    /** There is a connection. */
    void connected(Instant now) {
        unconnected = false;
        next = now.isBefore(next) ? now : next;
    }

    /** The connection broke while it was sent: how often that happened since the process began. */
    int broke() {
        return ++broken;
    }

    /** Puts the state on disk. */
    void save() throws IOException {
        writeTo(folder);
        OutboundSpool.force(folder);
    }

    void writeTo(Path target) throws IOException {
        Path temporary = target.resolve(STATE + ".new");
        try (FileChannel out = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(encode());
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(temporary, target.resolve(STATE), StandardCopyOption.ATOMIC_MOVE);
    }

    private byte[] encode() {
        CborWriter out = new CborWriter(512).array(9).integer(VERSION).text(key).text(sender);
        out.integer(created.toEpochMilli()).integer(attempts).integer(next.toEpochMilli());
        out.array(copies.size());
        for (Copy copy : copies) {
            out.array(3).text(copy.file);
            for (List<String> addresses : List.of(copy.waiting, copy.failed)) {
                out.array(addresses.size());
                addresses.forEach(out::text);
            }
        }
        out.integer(reporting.toEpochMilli()).integer(unconnected ? 1 : 0);
        return out.toByteArray();
    }

    static OutboundMail read(Path folder) throws IOException {
        try {
            CborReader in = new CborReader("spool-state", Files.readAllBytes(folder.resolve(STATE)));
            int items = in.array("state", 6 + VERSION);
            int version = in.uint("version", VERSION);
            if (items != 6 + version) {
                throw in.malformed("version", "must be from 1 to " + VERSION);
            }
            String key = in.text("key", MAX_TEXT);
            String sender = in.text("sender", MAX_TEXT);
            Instant created = Instant.ofEpochMilli(in.integer("created"));
            int attempts = in.uint("attempts", Integer.MAX_VALUE);
            Instant next = Instant.ofEpochMilli(in.integer("next"));
            int count = in.array("copies", MAX_ITEMS);
            var copies = new ArrayList<Copy>();
            for (int i = 0; i < count; i++) {
                if (in.array("copy", 3) != 3) {
                    throw in.malformed("copy", "must have 3 items");
                }
                copies.add(new Copy(in.text("file", MAX_TEXT), addresses(in), addresses(in)));
            }
            var mail = new OutboundMail(folder, key, sender, created, copies, attempts, next);
            if (version >= 2) { // 1: from before reports belonged to their mail
                mail.reporting = Instant.ofEpochMilli(in.integer("reporting"));
            }
            if (version >= 3) { // 2: from before mail waited for a connection
                mail.unconnected = in.uint("unconnected", 1) == 1;
            }
            in.end();
            return mail;
        } catch (MalformedEncodingException e) {
            throw new IOException("the state of " + folder + " is damaged: " + e.getMessage(), e);
        }
    }

    private static List<String> addresses(CborReader in) throws MalformedEncodingException {
        int count = in.array("addresses", MAX_ITEMS);
        var addresses = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            addresses.add(in.text("address", MAX_TEXT));
        }
        return addresses;
    }
}
