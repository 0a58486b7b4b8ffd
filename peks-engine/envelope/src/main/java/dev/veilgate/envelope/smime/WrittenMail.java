package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.HeaderProtection.Spelling;
import dev.veilgate.envelope.smime.MailHeader.Field;
import dev.veilgate.envelope.smime.MailHeader.Split;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A message as it was written, from one that was opened: without what {@link HeaderProtection} and {@link
 * LegacyDisplay} put into it. From, Date and Message-ID that were added stay.
 *
 * <p>Whoever seals can write what they like, and name places in which something else stands that a recipient reads. So
 * nothing is believed: what comes out is what gives, when it is sealed again, exactly the bytes that were opened. A
 * message of which that is not so stays as it is, as a whole. The same holds where something else could be read
 * differently once the lines are gone, since programs do not agree on how to read it.
 */
public final class WrittenMail {
    private WrittenMail() {}

    /**
     * The message as it was written; the same array if it has nothing that sealing put there, or something else too.
     *
     * @param opened with its header inside
     * @param fields decodes a Subject or a field of mailboxes; empty for one that programs read in several ways
     * @throws MalformedMailException if its header is too long
     */
    public static byte[] of(byte[] opened, Function<Field, String> fields) throws MalformedMailException {
        try {
            ByteArrayInputStream in = new ByteArrayInputStream(opened);
            Split split = MailHeader.read(in);
            int body = opened.length - in.available();
            var protection = HeaderProtection.ofSealed(split.header());
            if (split.start().length > 0 || protection.isEmpty()) {
                return opened;
            }
            return of(opened, body, split.header(), protection.get(), fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
    }

    /**
     * The header section, with the empty line behind it, that {@link #of} gives out of a message that is sealed under a
     * header. Without lines in the text that is all of the message but the body; where lines cannot be told from text,
     * the message that is given out has those, and the fields of the header inside, as well.
     */
    public static byte[] header(HeaderProtection sealed) {
        byte[] inner = sealed.protect(false, LegacyDisplay.NONE).inner();
        try {
            return of(inner, field -> "");
        } catch (MalformedMailException e) {
            return inner; // too long to be read by anybody
        }
    }

    private static byte[] of(
            byte[] opened, int body, MailHeader inner, HeaderProtection protection, Function<Field, String> fields)
            throws IOException {
        MailHeader written = protection.header();
        LegacyDisplay display = LegacyDisplay.NONE;
        if (inner.first(LegacyDisplay.FIELD).isPresent()) {
            byte[] lines = Arrays.copyOfRange(opened, body, opened.length);
            display = LegacyDisplay.of(written, fields, new BufferedInputStream(without(inner, opened, body)));
            if (!display.isIn(inner, lines)) {
                var all = written.all("subject");
                if (all.size() != 1) {
                    return opened;
                }
                String subject = fields.apply(all.getFirst());
                display = LegacyDisplay.of(written, subject, new BufferedInputStream(without(inner, opened, body)));
                if (!display.isIn(inner, lines)) {
                    return opened;
                }
            }
        }
        for (Spelling spelling : Spelling.values()) {
            for (boolean isOutside : new boolean[] {false, true}) {
                byte[] again = protection.protect(isOutside, display, spelling).inner();
                if (Arrays.equals(again, 0, again.length, opened, 0, body)) {
                    ByteArrayOutputStream out = new ByteArrayOutputStream(opened.length);
                    out.writeBytes(written.toBytes());
                    without(inner, opened, body).transferTo(out);
                    return out.toByteArray();
                }
            }
        }
        return opened;
    }

    private static InputStream without(MailHeader inner, byte[] opened, int body) {
        return LegacyDisplay.takenOut(inner, new ByteArrayInputStream(opened, body, opened.length - body));
    }
}
