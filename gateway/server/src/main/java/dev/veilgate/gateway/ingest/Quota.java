package dev.veilgate.gateway.ingest;

import dev.veilgate.application.connection.ClientAddress;
import dev.veilgate.gateway.access.Principal;
import java.net.InetAddress;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How much each principal may submit, and each address and network from which sealed mail comes without a login: token
 * buckets of a minute's allowance, of envelopes, bytes and index blocks.
 */
final class Quota {
    /** Of strangers; beyond, all new ones share one allowance, so that they cannot fill memory. */
    static final int MAX_STRANGERS = 100_000;

    private static final int NETWORK_FACTOR = 4;
    private static final long MINUTE_MILLIS = 60_000;
    private static final long FORGET_MILLIS = 1000;
    private static final String OTHERS = "others";

    private record Owner(Principal.Kind kind, String tenant, String name) {}

    /** @param blocks none are counted if it is 0 */
    private record Allowance(double envelopes, double bytes, double blocks) {
        Allowance times(double factor) {
            return new Allowance(factor * envelopes, factor * bytes, factor * blocks);
        }
    }

    private final class Bucket {
        private final Allowance full;
        private Allowance left;
        private long refilled = clock.millis();

        Bucket(Allowance full) {
            this.full = full;
            this.left = full;
        }

        synchronized boolean take(Allowance wanted) {
            refill();
            if (left.envelopes < wanted.envelopes || left.bytes < wanted.bytes || left.blocks < wanted.blocks) {
                return false;
            }
            left = new Allowance(
                    left.envelopes - wanted.envelopes, left.bytes - wanted.bytes, left.blocks - wanted.blocks);
            return true;
        }

        synchronized boolean isFull() {
            refill();
            return left.equals(full);
        }

        private void refill() {
            long now = clock.millis();
            double minutes = Math.clamp((double) (now - refilled) / MINUTE_MILLIS, 0, 2);
            refilled = now;
            left = new Allowance(
                    Math.min(full.envelopes, left.envelopes + minutes * full.envelopes),
                    Math.min(full.bytes, left.bytes + minutes * full.bytes),
                    Math.min(full.blocks, left.blocks + minutes * full.blocks));
        }
    }

    private final Clock clock;
    private final Allowance ofPrincipal;
    private final Allowance ofStranger;
    private final ConcurrentMap<Owner, Bucket> principals = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Bucket> strangers = new ConcurrentHashMap<>();
    private volatile long forgotten;

    Quota(IngestSettings settings, StrangerSettings strangers, Clock clock) {
        this.clock = clock;
        this.ofPrincipal = new Allowance(
                settings.envelopesPerMinute(), settings.bytesPerMinute().toBytes(), 0);
        this.ofStranger = new Allowance(
                strangers.mailsPerMinute(), strangers.bytesPerMinute().toBytes(), strangers.blocksPerMinute());
    }

    Quota(IngestSettings settings, Clock clock) {
        this(settings, StrangerSettings.DEFAULTS, clock);
    }

    /** @throws RefusedException if the principal has used its minute up */
    void take(Principal principal, long bytes) throws RefusedException {
        if (!of(principal).take(new Allowance(1, bytes, 0))) {
            throw overQuota();
        }
    }

    /** @throws RefusedException if the address that a sealed mail came from, or its network, has used its minute up */
    void take(InetAddress stranger, long bytes, int blocks) throws RefusedException {
        Allowance wanted = new Allowance(1, bytes, blocks);
        for (Bucket bucket : of(stranger)) {
            if (!bucket.take(wanted)) {
                throw overQuota();
            }
        }
    }

    private static RefusedException overQuota() {
        return new RefusedException(Refusal.QUOTA, "over the quota of a minute; try again later");
    }

    private Bucket of(Principal principal) {
        return principals.computeIfAbsent(
                new Owner(principal.kind(), principal.tenant(), principal.name()), owner -> new Bucket(ofPrincipal));
    }

    private List<Bucket> of(InetAddress stranger) {
        return List.of(
                ofStranger(ClientAddress.client(stranger), ofStranger),
                ofStranger("network " + ClientAddress.network(stranger), ofStranger.times(NETWORK_FACTOR)));
    }

    private Bucket ofStranger(String name, Allowance allowance) {
        Bucket known = strangers.get(name);
        if (known != null) {
            return known;
        }
        long now = clock.millis();
        if (strangers.size() >= MAX_STRANGERS && now - forgotten > FORGET_MILLIS) {
            forgotten = now;
            strangers.values().removeIf(Bucket::isFull);
        }
        return strangers.computeIfAbsent(
                strangers.size() >= MAX_STRANGERS ? OTHERS : name, added -> new Bucket(allowance));
    }
}
