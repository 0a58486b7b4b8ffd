package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.access.Principal;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** What a channel took over the wire and asks to be made durable. Not yet checked. */
public sealed interface Submission {
    /**
     * An envelope, by HTTP or MQTT.
     *
     * @param from     who sent it over this channel
     * @param envelope the exact bytes; not copied, so the channel must not write to them any more
     */
    @SuppressWarnings("ArrayRecordComponent")
    record OfEnvelope(Principal from, byte[] envelope) implements Submission {}

    /**
     * A mail, sealed or not.
     *
     * @param from        who logged in; empty for a server that only delivers to our own domains
     * @param client      the address that it came from, if the channel knows one
     * @param reversePath of MAIL FROM; empty for a report
     * @param recipients  of RCPT TO, each once, already allowed by the channel
     * @param message     the message as it came, with CR LF, Received of this hop in front; not copied
     */
    @SuppressWarnings("ArrayRecordComponent")
    record OfMail(
            Optional<Principal> from,
            Optional<InetAddress> client,
            String reversePath,
            List<String> recipients,
            byte[] message)
            implements Submission {
        /** Copies the list. */
        public OfMail {
            recipients = List.copyOf(recipients);
        }

        /** Of a channel that does not know addresses. */
        public OfMail(Optional<Principal> from, String reversePath, List<String> recipients, byte[] message) {
            this(from, Optional.empty(), reversePath, recipients, message);
        }
    }
}
