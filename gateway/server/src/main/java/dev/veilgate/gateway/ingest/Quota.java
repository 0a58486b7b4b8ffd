package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.access.Principal;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** How much each principal may submit: two token buckets of a minute's allowance, one of envelopes and one of bytes. */
final class Quota {
    private record Owner(Principal.Kind kind, String tenant, String name) {}

    private static final long MINUTE_MILLIS = 60_000;

    private static final class Bucket {
        private double envelopes;
        private double bytes;
        private long refilled;
    }

    private final IngestSettings settings;
    private final Clock clock;
    private final ConcurrentMap<Owner, Bucket> buckets = new ConcurrentHashMap<>();

    Quota(IngestSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** @throws RefusedException if the principal has used its minute up */
    void take(Principal principal, long bytes) throws RefusedException {
        Bucket bucket = buckets.computeIfAbsent(
                new Owner(principal.kind(), principal.tenant(), principal.name()), owner -> fullBucket());
        synchronized (bucket) {
            refill(bucket);
            if (bucket.envelopes < 1 || bucket.bytes < bytes) {
                throw new RefusedException(Refusal.QUOTA, "over the quota of a minute; try again later");
            }
            bucket.envelopes -= 1;
            bucket.bytes -= bytes;
        }
    }

    private Bucket fullBucket() {
        Bucket bucket = new Bucket();
        bucket.envelopes = settings.envelopesPerMinute();
        bucket.bytes = settings.bytesPerMinute().toBytes();
        bucket.refilled = clock.millis();
        return bucket;
    }

    private void refill(Bucket bucket) {
        long now = clock.millis();
        double minutes = Math.clamp((double) (now - bucket.refilled) / MINUTE_MILLIS, 0, 1);
        bucket.refilled = now;
        bucket.envelopes =
                Math.min(settings.envelopesPerMinute(), bucket.envelopes + minutes * settings.envelopesPerMinute());
        double allowance = settings.bytesPerMinute().toBytes();
        bucket.bytes = Math.min(allowance, bucket.bytes + minutes * allowance);
    }
}
