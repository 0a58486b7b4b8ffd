package dev.veilgate.gateway.route;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Standing routes.
 *
 * @param maxRoutes    most routes of a tenant
 * @param maxTrapdoors most trapdoors of a route: each is tested against each arriving index block of its key, scope and epoch
 * @param maxSearch    most bytes of a route's search
 * @param giveUp       an action that has not succeeded by then is given up
 * @param maxPause     longest pause between two attempts
 * @param replyTo      what becomes of the addresses that a forwarded mail asks answers and receipts to be sent to, which a stranger may have written to learn that a route
 *                     found it: {@code keep}, {@code drop}, or {@code replace} them by the gateway's own address
 * @param webhook      calls of webhooks
 */
@ConfigurationProperties("veilgate.route")
public record RouteSettings(
        @DefaultValue("2000") int maxRoutes,
        @DefaultValue("512") int maxTrapdoors,
        @DefaultValue("4MB") DataSize maxSearch,
        @DefaultValue("3d") Duration giveUp,
        @DefaultValue("1h") Duration maxPause,
        @DefaultValue("replace") ReplyTo replyTo,
        @DefaultValue Webhook webhook) {
    /** What becomes of the addresses for answers and receipts in a forwarded mail. */
    public enum ReplyTo {
        /** They stay. */
        KEEP,
        /** They go: answers go to the From of the mail. */
        DROP,
        /** They go, and answers go to the gateway's own address. */
        REPLACE
    }

    /** @throws IllegalArgumentException naming the key */
    public RouteSettings {
        check(maxRoutes >= 1, "max-routes must be at least 1");
        check(maxTrapdoors >= 1, "max-trapdoors must be at least 1");
        check(maxSearch.toBytes() >= 1024 && maxSearch.toMegabytes() <= 64, "max-search must be 1KB to 64MB");
        check(giveUp.isPositive(), "give-up must be positive");
        check(maxPause.isPositive(), "max-pause must be positive");
    }

    /**
     * Calls of webhooks.
     *
     * @param allowPrivate whether addresses of private networks and of this machine may be called, which who installs routes could look into otherwise
     * @param timeout      of a call
     */
    public record Webhook(
            @DefaultValue("false") boolean allowPrivate,
            @DefaultValue("15s") Duration timeout) {
        /** @throws IllegalArgumentException naming the key */
        public Webhook {
            check(
                    timeout.isPositive() && timeout.compareTo(Duration.ofSeconds(45)) <= 0,
                    "webhook.timeout must be more than 0s and at most 45s");
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("veilgate.route." + message);
        }
    }
}
