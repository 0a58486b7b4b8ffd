package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.envelope.smime.PlainHeader;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.tenant.Tenant;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes mail in the form in which it is delivered. Sealed mail has the header that its sealer bound to it ({@link
 * OuterHeader}), whatever it came with; a bare one, if nobody did. Other mail has senders that all programs read alike.
 *
 * <p>For several threads.
 */
final class DeliveredForm {
    /** Fields of a report that say how its body is read, and that no program shall answer it. */
    private static final Set<String> OF_REPORT =
            Set.of("mime-version", "content-type", "content-transfer-encoding", "auto-submitted");

    /** Object identifier of AuthEnvelopedData (RFC 5083) in DER, where a ContentInfo begins. */
    private static final byte[] AUTH_ENVELOPED = {
        0x06, 0x0b, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01, 0x17
    };

    private static final int CONTENT_INFO_HEAD = 32;

    private static final int BASE64_LINE = 76;
    /** Whole lines of base64, of 57 bytes each. */
    private static final int BODY_PIECE = 57 << 10;

    private static final byte[] LINE_END = {'\r', '\n'};
    /** More than a mail has that does not go round in circles. */
    private static final int MAX_TRACES = 110;
    /** Longest header of an earlier edge that is kept. */
    private static final int MAX_HEADER = 512 << 10;

    private final Set<String> kept;
    private final Instant unboundUntil;
    private final Clock clock;
    private final MeterRegistry meters;

    /** @param unboundUntil until when mail that binds no header keeps the one that it came with */
    DeliveredForm(OuterHeaderSettings settings, Instant unboundUntil, Clock clock, MeterRegistry meters) {
        this.kept = settings.keep();
        this.unboundUntil = unboundUntil;
        this.clock = clock;
        this.meters = meters;
    }

    /** The form of gateways with a database: what was delivered from it before decides for how long. */
    static DeliveredForm of(Database database, OuterHeaderSettings settings, Clock clock, MeterRegistry meters) {
        Instant until =
                database.jdbc().sql("SELECT since FROM outer_header_bound").query(OffsetDateTime.class).list().stream()
                        .map(since -> since.toInstant().plus(settings.unboundFor()))
                        .findFirst()
                        .orElse(Instant.EPOCH);
        return new DeliveredForm(settings, until, clock, meters);
    }

    /** Until when mail that binds no header keeps the one that it came with; empty if none does. */
    Optional<Instant> unboundUntil() {
        return clock.instant().isBefore(unboundUntil) ? Optional.of(unboundUntil) : Optional.empty();
    }

    /** The header that the sealer of a mail bound to it. */
    static Optional<OuterHeader> bound(Envelope envelope, Tenant tenant) {
        return OuterHeader.bound(envelope, tenant.bundle().mailSigners());
    }

    /**
     * A sealed mail with an index.
     *
     * @param bound the header that is {@linkplain #bound bound} to it
     */
    byte[] of(SealedMail mail, Optional<OuterHeader> bound, String reversePath) {
        if (bound.isPresent()) {
            count(bound.get().isOf(mail.header()) ? "bound" : "restored");
            return write(mail, bound.get());
        }
        if (unboundUntil().isPresent() && mail.headerBytes() <= MAX_HEADER) {
            count("unbound");
            return mail.asCame();
        }
        count("bare");
        return write(mail, OuterHeader.bare(mail.header(), reversePath));
    }

    private byte[] write(SealedMail mail, OuterHeader header) {
        byte[] cms = mail.cms();
        StringBuilder lines = traces(mail.header())
                .append(header.text())
                .append("MIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; smime-type=")
                .append(isAuthenticated(cms) ? "authEnveloped-data" : "enveloped-data")
                .append(";\r\n name=\"smime.p7m\"\r\nContent-Transfer-Encoding: base64\r\n")
                .append("Content-Disposition: attachment; filename=\"smime.p7m\"\r\n\r\n");
        return written(latin1(lines.toString()), cms);
    }

    /** The header and the base64 of a body, a few lines at a time: of a large mail there is no room for more copies. */
    private static byte[] written(byte[] header, byte[] body) {
        int digits = (body.length + 2) / 3 * 4;
        int lineEnds = (digits + BASE64_LINE - 1) / BASE64_LINE;
        ByteBuffer out =
                ByteBuffer.allocate(header.length + digits + 2 * lineEnds).put(header);
        for (int at = 0; at < body.length; at += BODY_PIECE) {
            byte[] piece = Arrays.copyOfRange(body, at, Math.min(body.length, at + BODY_PIECE));
            out.put(Base64.getMimeEncoder().encode(piece)).put(LINE_END);
        }
        return out.array();
    }

    private StringBuilder traces(MailHeader header) {
        StringBuilder lines = new StringBuilder();
        header.fields().stream()
                .filter(field -> field.name().equals("received") || kept.contains(field.name()))
                .limit(MAX_TRACES)
                .forEach(field -> OuterHeader.trace(field).ifPresent(lines::append));
        return lines;
    }

    private static boolean isAuthenticated(byte[] cms) {
        int end = Math.min(cms.length, CONTENT_INFO_HEAD) - AUTH_ENVELOPED.length;
        for (int at = 0; at <= end; at++) {
            if (Arrays.equals(cms, at, at + AUTH_ENVELOPED.length, AUTH_ENVELOPED, 0, AUTH_ENVELOPED.length)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A report that a mail was not delivered: bare, with the fields that say how its body is read. Its text can be an
     * old one that somebody signed in the clear (OpenPGP), and programs show that signature beside From and Subject.
     *
     * @param message with a {@linkplain MailHeader#isClear clear} header
     */
    byte[] ofReport(byte[] message, String reversePath) throws RefusedException {
        return rewritten(message, came -> {
            StringBuilder lines =
                    traces(came).append(OuterHeader.bare(came, reversePath).text());
            came.fields().stream()
                    .filter(field -> OF_REPORT.contains(field.name()))
                    .forEach(field -> lines.append(field.raw()));
            count("report");
            return lines.toString();
        });
    }

    /**
     * A mail without an index: as it came, but for senders that programs could read in several ways ({@link
     * PlainHeader}).
     *
     * @throws RefusedException if the header has control characters, behind which programs read other fields
     */
    byte[] ofPlain(byte[] message, String reversePath) throws RefusedException {
        return rewritten(message, came -> {
            PlainHeader header = PlainHeader.of(came, reversePath);
            if (header.isFromBare()) {
                count("plain-bare");
            }
            return header.text();
        });
    }

    private static byte[] rewritten(byte[] message, Function<MailHeader, String> fields) throws RefusedException {
        try (InputStream in = new ByteArrayInputStream(message)) {
            MailHeader.Split split = MailHeader.read(in);
            if (split.header().hasControls()) {
                throw new RefusedException(Refusal.MALFORMED, "the header of a mail has no control characters");
            }
            byte[] head = latin1(fields.apply(split.header()) + "\r\n");
            boolean isAsCame =
                    message.length >= head.length && Arrays.equals(head, 0, head.length, message, 0, head.length);
            if (isAsCame && split.start().length == 0) {
                return message;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream(message.length + 256);
            out.writeBytes(head);
            out.writeBytes(split.start());
            in.transferTo(out);
            return out.toByteArray();
        } catch (MalformedMailException e) {
            throw new RefusedException(Refusal.MALFORMED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new IllegalStateException("memory", e);
        }
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private void count(String outcome) {
        meters.counter("veilgate.mail.headers", "outcome", outcome).increment();
    }
}
