package dev.veilgate.gateway.route;

import dev.veilgate.peks.RecordSet;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What a route found: clear metadata only.
 *
 * @param route    name of the route
 * @param delivery the same at each attempt
 * @param digest   of the envelope's bytes, SHA-256 in hexadecimal; empty if an earlier version noted it, by the id alone
 * @param sender   of the envelope, or empty
 * @param records  those found
 */
record Notice(
        String route,
        String delivery,
        String tenant,
        UUID envelope,
        String digest,
        String sender,
        RecordSet records,
        Instant arrived) {
    static final String CONTENT_TYPE = "application/json";

    /** As topics and webhooks get it. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("route", route);
        json.put("tenant", tenant);
        json.put("envelope", envelope.toString());
        if (!digest.isEmpty()) {
            json.put("digest", digest);
        }
        json.put("sender", sender);
        json.put("records", records.ordinals().toArray());
        json.put("arrived", arrived.toString());
        return json;
    }
}
