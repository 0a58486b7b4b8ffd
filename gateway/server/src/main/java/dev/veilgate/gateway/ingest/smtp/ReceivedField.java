package dev.veilgate.gateway.ingest.smtp;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import javax.net.ssl.SSLSession;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.smtp.SMTPSession;

/** The trace of this hop (RFC 5321, section 4.4; RFC 3848, 8314). Names no recipient, who may be one of several, or blind. */
final class ReceivedField {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private ReceivedField() {}

    static byte[] of(SMTPSession session, String ourName, Instant now) {
        String name = session.getAttachment(SMTPSession.CURRENT_HELO_NAME, State.Connection)
                .filter(helo -> helo.matches("[A-Za-z0-9.:\\[\\]_-]{1,255}"))
                .orElse("unknown");
        boolean esmtp = session.getAttachment(SMTPSession.CURRENT_HELO_MODE, State.Connection)
                .filter("EHLO"::equals)
                .isPresent();
        String tls = session.getSSLSession().map(ReceivedField::tls).orElse("");
        String with = (esmtp ? "ESMTP" : "SMTP")
                + (tls.isEmpty() ? "" : "S")
                + (Connection.of(session).principal().isPresent() ? "A" : "");
        String address = session.getRemoteAddress().getAddress().getHostAddress();
        String literal = address.indexOf(':') < 0 ? address : "IPv6:" + address.replaceFirst("%.*", "");
        String field = "Received: from " + name + " ([" + literal + "])\r\n" + tls + " by " + ourName + " with " + with
                + " id " + session.getSessionID() + ";\r\n " + DATE.format(now) + "\r\n";
        return field.getBytes(StandardCharsets.US_ASCII);
    }

    private static String tls(SSLSession session) {
        return " (using " + session.getProtocol() + " with cipher " + session.getCipherSuite() + ")\r\n";
    }
}
