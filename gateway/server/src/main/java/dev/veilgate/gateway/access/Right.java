package dev.veilgate.gateway.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a token may be used for. */
public enum Right {
    /** Submit envelopes. */
    INGEST,
    /** Search, and read what searches find. */
    SEARCH,
    /** Install, list and remove standing routes. */
    ROUTES,
    /** See senders and their chains. */
    SENDERS,
    /** Legal holds and retention. */
    RETENTION,
    /** Metrics, the detail of health. */
    STATUS,
    /** Give devices and senders access to the tenant, and take it away: never more than {@link #INGEST}. */
    ACCESS;

    /** All, as {@link #label}, for people. */
    public static String labels() {
        return Arrays.stream(values()).map(Right::label).collect(Collectors.joining(", "));
    }

    /** As it is spelt in the access file and in errors. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As an OAuth 2 scope of a token that an issuer signed. */
    public String scope() {
        return "veilgate." + label();
    }
}
