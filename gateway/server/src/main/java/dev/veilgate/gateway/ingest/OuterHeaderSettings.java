package dev.veilgate.gateway.ingest;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The header that sealed mail is delivered with.
 *
 * @param unboundFor how long, from the first start of this version on in a data folder that had mail, mail of earlier
 * edges keeps the header that it came with, which nobody signed;
 *                   later, and in new folders, it is delivered with bare addresses and without a Subject
 * @param keep       names of fields that come on the way and are delivered as they came, such as {@code
 * Authentication-Results}, besides Received
 */
@ConfigurationProperties("veilgate.ingest.outer-header")
public record OuterHeaderSettings(
        @DefaultValue("30d") Duration unboundFor,
        @DefaultValue Set<String> keep) {
    /** Names of fields that programs show, answer to, or read the body by. */
    private static final List<String> SHOWN = List.of(
            "from",
            "sender",
            "to",
            "cc",
            "bcc",
            "subject",
            "date",
            "reply-to",
            "message-id",
            "in-reply-to",
            "references",
            "mime-version",
            "disposition-notification-to");

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
