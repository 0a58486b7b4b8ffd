package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.smime.HeaderProtection;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The header that sealed mail is delivered with.
 *
 * @param unboundFor how long, from the first start of this version on with a database of a version that delivered mail,
 *                   mail of earlier edges keeps the header that it came with, which nobody signed; later, and with a
 *                   new
 *                   database, it is delivered with bare addresses and without a Subject
 * @param keep       names of fields that come on the way and are delivered as they came, such as
 *                   {@code Authentication-Results}, besides Received
 */
@ConfigurationProperties("veilgate.ingest.outer-header")
public record OuterHeaderSettings(
        @DefaultValue("30d") Duration unboundFor,
        @DefaultValue Set<String> keep) {
    /** Names of fields that programs show or read the mail by, besides those that an edge leaves outside. */
    private static final Set<String> SHOWN = Set.of("subject", "bcc", "mime-version");

    private static final Duration MOST = Duration.ofDays(36_500);

    /** Values without any setting. */
    static final OuterHeaderSettings DEFAULTS = new OuterHeaderSettings(Duration.ofDays(30), Set.of());

    /** @throws IllegalArgumentException naming the key */
    public OuterHeaderSettings {
        if (unboundFor.isNegative() || unboundFor.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "veilgate.ingest.outer-header.unbound-for must be 0s to " + MOST.toDays() + "d");
        }
        Set<String> names = new TreeSet<>();
        for (String name : keep) {
            String lower = name.strip().toLowerCase(Locale.ROOT);
            if (!lower.matches("[a-z][a-z0-9-]{0,60}")
                    || SHOWN.contains(lower)
                    || HeaderProtection.OUTER.contains(lower)
                    || lower.startsWith("content-")
                    || lower.startsWith("resent-")) {
                throw new IllegalArgumentException(
                        "veilgate.ingest.outer-header.keep must name fields that mail programs"
                                + " neither show nor read the mail by; " + name + " is none");
            }
            names.add(lower);
        }
        keep = Set.copyOf(names);
    }
}
