package dev.veilgate.console.logsink;

import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.audit.LogLines;
import dev.veilgate.issuing.LogEntry;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Contents of an entry for a receiver: as the log has it, what is sealed sealed, with a mark, without keywords. */
final class EntryFields {
    static final String NUMBER = "number";
    static final String KIND = "kind";
    static final String ACTOR = "actor";
    static final String MARK = "mark";
    static final String DETAILS = "details";
    static final String SEALED = "sealed";
    private static final String LEFT_OUT = "leftOut";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int MARK_BYTES = 16;

    private EntryFields() {}

    /**
     * Makes the fields, in their order.
     *
     * @param secret   key of marks
     * @param keywords whether queries and keywords in clear are among them, and the digest
     */
    static Map<String, Object> of(String tenant, LogEntry entry, byte[] secret, boolean keywords) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("tenant", tenant);
        Map<String, Object> all = LogLines.fields(entry);
        fields.put(NUMBER, all.remove(NUMBER));
        fields.put(MARK, mark(entry, secret));
        if (keywords) {
            fields.put("digest", digest(entry));
        }
        fields.putAll(all);
        if (!keywords) {
            Map<String, String> details = clear(entry);
            fields.put(DETAILS, details);
            if (details.size() < entry.details().size()) {
                fields.put(LEFT_OUT, "keywords");
            }
        }
        return fields;
    }

    /** The details without queries and keywords. */
    static Map<String, String> clear(LogEntry entry) {
        Map<String, String> details = new LinkedHashMap<>(entry.details());
        details.keySet().removeAll(Entries.MAY_BE_HIDDEN);
        return details;
    }

    static String digest(LogEntry entry) {
        return HexFormat.of().formatHex(entry.digest());
    }

    /**
     * Tells an entry from any other of its number, as a log has it that was put back. The digest itself would let
     * whoever has it try which keyword was left out of an entry.
     */
    static String mark(LogEntry entry, byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return HexFormat.of().formatHex(Arrays.copyOf(mac.doFinal(entry.digest()), MARK_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks " + ALGORITHM, e);
        }
    }
}
