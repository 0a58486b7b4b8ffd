package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.UnprovenMails;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Health of the senders of mail: says how many mails of seven days named one of this site whom nothing proved. */
final class SenderHealth implements HealthIndicator {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final String NAMED =
            " in the name of a sender of a domain of this site whom neither a login nor a signature proved";

    private final OwnSenderSettings settings;
    private final UnprovenMails counts;
    private final Clock clock;

    SenderHealth(OwnSenderSettings settings, UnprovenMails counts, Clock clock) {
        this.settings = settings;
        this.counts = counts;
        this.clock = clock;
    }

    /** Never down: what a stranger sends says nothing of how the gateway is. */
    @Override
    public Health health() {
        long sealed = counts.ofLastWeek(Kind.SEALED_TAKEN);
        Health.Builder health = Health.up();
        said(
                health,
                "plainRefused",
                Kind.PLAIN_REFUSED,
                "mails without an index were refused" + NAMED
                        + ": if they were genuine, give who sends them a login, or see veilgate.ingest.own-senders");
        said(
                health,
                "plainTaken",
                Kind.PLAIN_TAKEN,
                "mails without an index were taken" + NAMED + " (veilgate.ingest.own-senders.plain)");
        said(health, "sealedRefused", Kind.SEALED_REFUSED, "mails with an index were refused" + NAMED);
        if (settings.sealed() == OwnSenderSettings.Unproven.TAKE || sealed > 0) {
            health.withDetail(
                    "sealedTaken",
                    sealed + " mails with an index were taken" + NAMED + ", within " + within()
                            + ": veilgate.ingest.own-senders.sealed=refuse would refuse such mail; the log names the"
                            + " network of each");
        }
        return health.build();
    }

    private void said(Health.Builder health, String name, Kind kind, String text) {
        long mails = counts.ofLastWeek(kind);
        if (mails > 0) {
            health.withDetail(name, mails + " " + text + "; within " + within());
        }
    }

    private String within() {
        boolean isWhole = counts.since().isBefore(clock.instant().minus(WEEK));
        return isWhole ? "7 days" : "the days since " + counts.since() + ", when counting began";
    }
}
