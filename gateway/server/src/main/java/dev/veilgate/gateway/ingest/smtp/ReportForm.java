package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.ingest.Submission;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;

/**
 * Tells a report that a mail was not delivered (RFC 3464), as mail servers and our own proxy write it, from other mail that nobody sealed: from nobody to one recipient,
 * short, and of nothing but a text, a delivery status and the mail or its header.
 */
final class ReportForm {
    /** Longest report, with the fields that servers on its way put in front. */
    static final int MAX_BYTES = 256 << 10;

    private static final int MAX_HEADER_BYTES = 64 << 10;
    private static final int MAX_PARTS = 3;
    private static final String STATUS = "message/delivery-status";
    private static final Set<String> RETURNED = Set.of("text/rfc822-headers", "message/rfc822");

    private ReportForm() {}

    /** Whether it is a report; false for whatever is damaged. */
    static boolean isReport(Submission.OfMail mail) {
        if (!mail.reversePath().isEmpty() || mail.recipients().size() != 1 || mail.message().length > MAX_BYTES) {
            return false;
        }
        try {
            List<String> types = types(mail.message());
            return types.size() >= 3
                    && types.size() <= MAX_PARTS + 1
                    && types.get(0).equals("multipart/report")
                    && types.get(1).equals("text/plain")
                    && types.get(2).equals(STATUS)
                    && (types.size() == 3 || RETURNED.contains(types.get(3)));
        } catch (MimeException | IOException | RuntimeException e) { // mime4j throws all of them for damaged mail
            return false;
        }
    }

    /** The type of the message, and those of its parts if it is in parts. */
    private static List<String> types(byte[] message) throws MimeException, IOException {
        var config = new MimeConfig.Builder()
                .setMaxHeaderLen(MAX_HEADER_BYTES)
                .setMaxLineLen(MAX_HEADER_BYTES)
                .build();
        var stream = new MimeTokenStream(config);
        stream.setRecursionMode(RecursionMode.M_NO_RECURSE);
        stream.parse(new ByteArrayInputStream(message));
        List<String> types = new ArrayList<>();
        for (EntityState at = stream.getState();
                at != EntityState.T_END_OF_STREAM && types.size() <= MAX_PARTS + 1;
                at = stream.next()) {
            if (at == EntityState.T_START_MULTIPART) {
                types.add(type(stream));
                stream.setRecursionMode(RecursionMode.M_FLAT); // what is in parts stays there
            } else if (at == EntityState.T_BODY) {
                types.add(type(stream));
            }
        }
        return types;
    }

    private static String type(MimeTokenStream stream) {
        return String.valueOf(stream.getBodyDescriptor().getMimeType()).toLowerCase(Locale.ROOT);
    }
}
