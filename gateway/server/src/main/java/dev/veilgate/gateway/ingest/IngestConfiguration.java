package dev.veilgate.gateway.ingest;

import dev.veilgate.application.command.StopWaits;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.OwnSenders;
import dev.veilgate.gateway.ingest.sender.SenderRights;
import dev.veilgate.gateway.ingest.sender.UnprovenMails;
import dev.veilgate.gateway.journal.Journal;
import dev.veilgate.gateway.memory.HeapTurns;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.IndexSchemes;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;

@Configuration(proxyBeanMethods = false)
class IngestConfiguration {
    private static final Duration COUNTS_SAVED = Duration.ofSeconds(10);

    @Bean
    IndexSchemes indexSchemes() {
        return IndexSchemes.load();
    }

    @Bean
    OutdatedBlocks outdatedBlocks(
            GatewaySettings gateway, EnvelopeStore store, IngestSettings settings, IndexSchemes schemes, Clock clock)
            throws IOException {
        return OutdatedBlocks.of(gateway.dataDir(), store, settings.outdatedFor(), schemes, clock);
    }

    @Bean
    DeliveredForm deliveredForm(OuterHeaderSettings settings, Database database, Clock clock, MeterRegistry meters) {
        return DeliveredForm.of(database, settings, clock, meters);
    }

    /** Health of the headers of mail: says until when headers are delivered that nobody signed. */
    @Bean
    HealthIndicator mailHeadersHealthIndicator(DeliveredForm form) {
        return () -> form.unboundUntil()
                .map(until -> Health.up()
                        .withDetail(
                                "unbound",
                                "mail of earlier edges keeps a header that nobody signed until " + until
                                        + " (veilgate.ingest.outer-header.unbound-for): update the edges"))
                .orElseGet(Health::up)
                .build();
    }

    @Bean
    UnprovenMails unprovenMails(Database database, GatewayId id, Clock clock, TaskScheduler scheduler) {
        UnprovenMails mails = new UnprovenMails(database, id.value(), clock);
        scheduler.scheduleWithFixedDelay(mails::save, clock.instant().plus(COUNTS_SAVED), COUNTS_SAVED);
        return mails;
    }

    @Bean
    SenderCheck senderCheck(
            Tenants tenants,
            SenderRights rights,
            OwnSenderSettings settings,
            UnprovenMails counts,
            MeterRegistry meters) {
        return new SenderCheck(new OwnSenders(tenants, rights, settings), settings, counts::count, meters);
    }

    @Bean
    HealthIndicator mailSendersHealthIndicator(OwnSenderSettings settings, UnprovenMails counts, Clock clock) {
        return new SenderHealth(settings, counts, clock);
    }

    @Bean(destroyMethod = "close")
    Journal journal(GatewaySettings gateway, IngestSettings settings) throws IOException {
        return Journal.open(
                gateway.dataDir().resolve("journal"), settings.segmentSize().toBytes());
    }

    @Bean
    SetAside setAside(GatewaySettings gateway) throws IOException {
        return new SetAside(gateway.dataDir().resolve("set-aside"));
    }

    @Bean
    Applier applier(
            Journal journal,
            EnvelopeStore store,
            Database database,
            List<ArrivalStage> stages,
            IndexSchemes schemes,
            SetAside setAside,
            GatewayId id) {
        StageTransaction transaction = new StageTransaction(database, stages, id.value());
        return new Applier(journal, store, transaction, schemes, setAside);
    }

    @Bean
    Room room(GatewaySettings gateway, IngestSettings settings, Applier applier) {
        return new Room(gateway.dataDir(), settings, applier::backlogBytes, applier::stalled);
    }

    @Bean
    IngestStatus ingestStatus(Applier applier, SetAside setAside, Journal journal, Room room) {
        return new IngestStatus() {
            @Override
            public Optional<String> trouble() {
                return applier.trouble()
                        .or(() -> room.isStalled() ? Optional.of("nothing is stored for long") : Optional.empty());
            }

            @Override
            public Optional<String> databaseTrouble() {
                return applier.databaseTrouble();
            }

            @Override
            public long timesBehind() {
                return applier.timesBehind();
            }

            @Override
            public long backlogBytes() {
                return applier.backlogBytes();
            }

            @Override
            public int setAside() {
                return setAside.count();
            }

            @Override
            public long journalBytes() {
                return journal.retainedBytes();
            }

            @Override
            public long freeBytes() {
                return room.freeBytes();
            }

            @Override
            public boolean diskIsFull() {
                return room.isShort();
            }
        };
    }

    @Bean
    JournaledIngestion ingestion(
            Tenants tenants,
            OutdatedBlocks outdated,
            IngestSettings settings,
            StrangerSettings strangers,
            PlainMailPolicy plainMail,
            SenderCheck senders,
            DeliveredForm form,
            Clock clock,
            Journal journal,
            EnvelopeStore store,
            DeletedEnvelopes deleted,
            Applier applier,
            Room room,
            HeapTurns turns,
            MeterRegistry metrics) {
        Quota quota = new Quota(settings, strangers, clock);
        Admission admission =
                new Admission(tenants, outdated, settings, strangers, quota, plainMail, senders, form, clock);
        return new JournaledIngestion(
                admission, journal, store, deleted, applier, room, turns, clock, new IngestCounters(metrics));
    }

    @Bean
    IngestLifecycle ingestLifecycle(
            JournaledIngestion ingestion, Applier applier, MailStage mails, TaskScheduler scheduler, Clock clock) {
        scheduler.scheduleWithFixedDelay(
                mails::forget, clock.instant().plus(Duration.ofMinutes(1)), Duration.ofHours(1));
        return new IngestLifecycle(ingestion, applier);
    }

    /** Replays and opens before any channel listens; closes after all of them have stopped. */
    static final class IngestLifecycle implements SmartLifecycle, StopWaits {
        private final JournaledIngestion ingestion;
        private final Applier applier;
        private volatile boolean running;

        IngestLifecycle(JournaledIngestion ingestion, Applier applier) {
            this.ingestion = ingestion;
            this.applier = applier;
        }

        @Override
        public void start() {
            try {
                applier.start();
            } catch (IOException e) {
                throw new IllegalStateException("the journal could not be replayed: " + e.getMessage(), e);
            }
            ingestion.start();
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            try {
                ingestion.stop();
                applier.stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public String stopWaitsFor() {
            long bytes = applier.backlogBytes();
            return bytes == 0 ? "" : "bytes of the journal that are not in the store: " + bytes;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return Ingestion.LIFECYCLE_PHASE;
        }
    }
}
