package dev.veilgate.gateway.ingest;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the journal holds of a submission that was taken: an envelope, a plain mail, or both parts of a sealed mail.
 *
 * <pre>{@code
 * entry = [ 1, arrived: int (ms), envelope: bstr, message: bstr, reverse-path: tstr, [ * recipient: tstr ] ]      empty: none
 * }</pre>
 *
 * @param arrived     by this gateway's clock, whole milliseconds
 * @param envelope    null for a plain mail
 * @param message     in the form in which it is delivered; null for an envelope that came alone
 * @param reversePath of the mail
 * @param recipients  of the mail; none for an envelope that came alone
 */
@SuppressWarnings("ArrayRecordComponent")
record Entry(
        Instant arrived,
        byte @Nullable [] envelope,
        byte @Nullable [] message,
        String reversePath,
        List<String> recipients) {
    private static final int VERSION = 1;
    private static final int MAX_ADDRESS_BYTES = 1024;
    static final int MAX_RECIPIENTS = 100_000;
    private static final int MAX_MESSAGE_BYTES = 200 << 20;

    Entry {
        recipients = List.copyOf(recipients);
    }

    byte[] encode() {
        byte[] none = {};
        int size = (envelope == null ? 0 : envelope.length) + (message == null ? 0 : message.length);
        CborWriter out = new CborWriter(size + 256).array(6).integer(VERSION).integer(arrived.toEpochMilli());
        out.bytes(envelope == null ? none : envelope).bytes(message == null ? none : message);
        out.text(reversePath).array(recipients.size());
        recipients.forEach(out::text);
        return out.toByteArray();
    }

    static Entry decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("entry", bytes);
        if (in.array("entry", 6) != 6 || in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; this journal is of a later version of the gateway");
        }
        Instant arrived = Instant.ofEpochMilli(in.integer("arrived"));
        byte[] envelope = in.bytes("envelope", Envelope.MAX_BYTES);
        byte[] message = in.bytes("message", MAX_MESSAGE_BYTES);
        String reversePath = in.text("reverse-path", MAX_ADDRESS_BYTES);
        List<String> recipients = new ArrayList<>();
        for (int left = in.array("recipients", MAX_RECIPIENTS); left > 0; left--) {
            recipients.add(in.text("recipient", MAX_ADDRESS_BYTES));
        }
        in.end();
        return new Entry(
                arrived,
                envelope.length == 0 ? null : envelope,
                message.length == 0 ? null : message,
                reversePath,
                recipients);
    }
}
