package dev.veilgate.console.logsink;

import dev.veilgate.issuing.LogEntry;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lines of JSON.
 *
 * @param keywords whether queries and keywords in clear are in them
 */
record JsonForm(JsonMapper json, boolean keywords) implements EntryForm {
    @Override
    public byte[] encode(String tenant, LogEntry entry, byte[] secret) {
        return (json.writeValueAsString(EntryFields.of(tenant, entry, secret, keywords)) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
