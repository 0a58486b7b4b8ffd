package dev.veilgate.gateway.oidc;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import dev.veilgate.gateway.access.IssuerUnavailableException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The issuer's keys, fetched when the first token comes, again every few minutes, and when a token names a key that is not among them. Fetches are rare
 * whatever tokens come, and whether or not they succeed. When the issuer is away the keys stay good for an hour: longer than its tokens, short enough that a
 * key which it withdrew does not.
 */
final class IssuerKeys {
    static final Duration FRESH = Duration.ofMinutes(5);
    static final Duration USABLE = Duration.ofHours(1);
    static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

    private record Held(JWKSet keys, Instant since) {}

    private final IssuerClient client;
    private final Clock clock;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile @Nullable Held held;
    private @Nullable Instant failedAt;

    IssuerKeys(IssuerClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** Keys that a token may have been signed with; none if the issuer has no such key. */
    List<JWK> select(JWKSelector selector) throws IssuerUnavailableException {
        Held now = current();
        List<JWK> found = selector.select(now.keys);
        if (!found.isEmpty() || isWithin(PAUSE, now.since)) {
            return found;
        }
        return selector.select(renew(now).keys);
    }

    private Held current() throws IssuerUnavailableException {
        Held now = held;
        if (now == null || !isWithin(USABLE, now.since)) {
            return renew(now);
        }
        if (!isWithin(FRESH, now.since) && fetching.tryLock()) { // others go on with what there is
            try {
                return renew(now);
            } catch (IssuerUnavailableException e) {
                return now;
            } finally {
                fetching.unlock();
            }
        }
        return now;
    }

    /** What there is in place of {@code old}. */
    private Held renew(@Nullable Held old) throws IssuerUnavailableException {
        fetching.lock();
        try {
            Held now = held;
            if (now != null && now != old) {
                return now;
            }
            if (failedAt != null && isWithin(PAUSE, failedAt)) {
                throw new IssuerUnavailableException();
            }
            now = new Held(client.fetch(), clock.instant());
            held = now;
            if (failedAt != null) {
                LOG.info("the issuer {} answers again", client.issuer());
                failedAt = null;
            }
            return now;
        } catch (IOException e) {
            if (failedAt == null) {
                LOG.warn("the keys of the issuer {} cannot be fetched: {}", client.issuer(), e.getMessage());
            }
            failedAt = clock.instant();
            throw new IssuerUnavailableException();
        } finally {
            fetching.unlock();
        }
    }

    private boolean isWithin(Duration time, Instant since) {
        return Duration.between(since, clock.instant()).compareTo(time) < 0;
    }
}
