package dev.veilgate.gateway.route;

import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.deliver.OutboundMail;
import dev.veilgate.gateway.deliver.OutboundQueue;
import dev.veilgate.gateway.memory.HeapTurns;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.StoredContent;
import dev.veilgate.gateway.store.StoredEnvelope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Sends on by SMTP: a mail as it was delivered, sealed; or an envelope of log records as an attachment. */
@Component
final class ForwardPerformer implements ActionPerformer {
    /** Fields that ask programs or people to write to somebody. */
    private static final Set<String> ASKING = Set.of(
            "reply-to",
            "mail-reply-to",
            "mail-followup-to",
            "return-receipt-to",
            "disposition-notification-to",
            "x-confirm-reading-to",
            "errors-to");

    private static final DateTimeFormatter DATE = DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT);
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(76, new byte[] {'\r', '\n'});

    private final Database database;
    private final EnvelopeStore store;
    private final OutboundQueue outbound;
    private final ActionQueue queue;
    private final Clock clock;
    private final String hostname;
    private final RouteSettings.ReplyTo replyTo;
    private final HeapTurns turns;

    ForwardPerformer(
            Database database,
            EnvelopeStore store,
            OutboundQueue outbound,
            ActionQueue queue,
            Clock clock,
            GatewaySettings settings,
            RouteSettings routes,
            HeapTurns turns) {
        this.database = database;
        this.store = store;
        this.outbound = outbound;
        this.queue = queue;
        this.clock = clock;
        this.hostname = settings.hostname();
        this.replyTo = routes.replyTo();
        this.turns = turns;
    }

    @Override
    public RouteAction.Kind kind() {
        return RouteAction.Kind.FORWARD;
    }

    /** The queue of outbound mail knows which next hops answer. */
    @Override
    public String needs(Route route) {
        return "";
    }

    @Override
    public void perform(Route route, ActionQueue.Taken taken) throws IOException, InterruptedException {
        StoredEnvelope stored =
                stored(taken.notice()).orElseThrow(() -> new IOException("the envelope is not in the store"));
        StoredContent content = stored.content();
        if (content == null) {
            send(route, taken, attached(route, taken.notice(), stored.envelope().bytes()));
            return;
        }
        HeapTurns.Turn turn = turns.take(Math.toIntExact(content.bytes()))
                .orElseThrow(() -> new IOException("too many large mails at the moment"));
        try {
            send(route, taken, resent(route, taken.notice(), content));
        } finally {
            turn.close();
        }
    }

    private void send(Route route, ActionQueue.Taken taken, byte[] message) {
        database.transactions().executeWithoutResult(status -> {
            if (queue.done(taken)) {
                outbound.add(new OutboundMail("", List.of(route.action().target()), message));
            }
        });
    }

    private Optional<StoredEnvelope> stored(Notice notice) throws IOException {
        return notice.digest().isEmpty()
                ? store.find(notice.tenant(), notice.envelope())
                : store.find(notice.tenant(), new EnvelopeName(notice.envelope(), notice.digest()));
    }

    /** The mail as it was delivered, behind the header of whoever sends it on (RFC 5322, 3.6.6). */
    private byte[] resent(Route route, Notice notice, StoredContent mail) throws IOException {
        byte[] head = ("Resent-Date: " + date() + "\r\n"
                        + "Resent-From: " + from() + "\r\n"
                        + "Resent-To: " + route.action().target() + "\r\n"
                        + "Resent-Message-ID: " + messageId(notice) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        try (InputStream in = mail.open()) {
            byte[] start = replyTo == RouteSettings.ReplyTo.KEEP ? head : join(head, unasking(in));
            byte[] all = Arrays.copyOf(start, Math.toIntExact(start.length + mail.bytes()));
            int read = in.readNBytes(all, start.length, all.length - start.length);
            return start.length + read == all.length ? all : Arrays.copyOf(all, start.length + read);
        }
    }

    /**
     * The header of a mail without the fields by which a stranger could have whoever gets it tell that it was found.
     *
     * @param mail is read up to some place behind its header
     * @return the header and what was read behind it
     */
    private byte[] unasking(InputStream mail) throws IOException {
        var header = new StringBuilder();
        if (replyTo == RouteSettings.ReplyTo.REPLACE) {
            header.append("Reply-To: ").append(from()).append("\r\n");
        }
        try {
            MailHeader.Split split = MailHeader.read(mail);
            split.header().fields().stream()
                    .filter(field -> !ASKING.contains(field.name()))
                    .forEach(field -> header.append(field.raw()));
            header.append("\r\n");
            return join(header.toString().getBytes(StandardCharsets.ISO_8859_1), split.start());
        } catch (MalformedMailException e) {
            throw new IOException("a stored mail has no header that can be read", e);
        }
    }

    private byte[] attached(Route route, Notice notice, byte[] envelope) {
        String boundary = "veilgate-" + notice.envelope();
        int records = notice.records().size();
        String found = records + (records == 1 ? " record" : " records");
        String head = "Date: " + date() + "\r\n"
                + "From: " + from() + "\r\n"
                + "To: " + route.action().target() + "\r\n"
                + "Message-ID: " + messageId(notice) + "\r\n"
                + "Subject: Route " + route.name() + ": " + found + "\r\n"
                + "Auto-Submitted: auto-generated\r\n"
                + "MIME-Version: 1.0\r\n"
                + "Content-Type: multipart/mixed; boundary=\"" + boundary + "\"\r\n\r\n"
                + "--" + boundary + "\r\n"
                + "Content-Type: text/plain; charset=us-ascii\r\n\r\n"
                + "The route " + route.name() + " found " + found + ". They are sealed in the attachment:\r\n"
                + "veilgate open reads it with the tenant's keys.\r\n\r\n"
                + "--" + boundary + "\r\n"
                + "Content-Type: application/vnd.veilgate.envelope+cbor\r\n"
                + "Content-Transfer-Encoding: base64\r\n"
                + "Content-Disposition: attachment; filename=\"" + notice.envelope() + ".vge\"\r\n\r\n";
        return join(
                head.getBytes(StandardCharsets.US_ASCII),
                LINES.encode(envelope),
                ("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private String date() {
        return DATE.format(clock.instant().atOffset(ZoneOffset.UTC));
    }

    private String from() {
        return "veilgate@" + hostname;
    }

    private String messageId(Notice notice) {
        return "<" + notice.delivery().replace('/', '.') + "@" + hostname + ">";
    }

    private static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }
}
