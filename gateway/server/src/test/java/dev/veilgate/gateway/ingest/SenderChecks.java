package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.sender.OwnSenderSettings;
import dev.veilgate.gateway.ingest.sender.OwnSenders;
import dev.veilgate.gateway.ingest.sender.SenderRights;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.IndexSchemes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Checks of senders, and an admission with them, without a journal. */
public final class SenderChecks {
    private SenderChecks() {}

    /** A check of a gateway that has no domain. */
    static SenderCheck none() {
        SenderRights nothing = new SenderRights() {
            @Override
            public Set<String> servedDomains() {
                return Set.of();
            }

            @Override
            public boolean mayUse(Principal login, String address) {
                return false;
            }
        };
        OwnSenderSettings settings = new OwnSenderSettings(
                OwnSenderSettings.Unproven.REFUSE, OwnSenderSettings.Unproven.TAKE, List.of(), Set.of(), Map.of());
        OwnSenders senders = new OwnSenders(_ -> Optional.empty(), nothing, settings);
        return new SenderCheck(senders, settings, _ -> {}, new SimpleMeterRegistry());
    }

    /**
     * Everything that a gateway checks before its journal.
     *
     * @param delivered takes the form in which a mail is delivered
     */
    public static Function<Submission.OfMail, CompletableFuture<Receipt>> admission(
            Tenants tenants,
            PlainMailPolicy plainMail,
            SenderRights rights,
            OwnSenderSettings settings,
            Consumer<Kind> counts,
            Consumer<byte[]> delivered,
            MeterRegistry meters) {
        IngestSettings ingest = AdmissionTest.settings(1_000_000);
        Clock clock = Clock.systemUTC();
        Admission admission = new Admission(
                tenants,
                new OutdatedBlocks(Instant.EPOCH, Optional.empty(), Instant.EPOCH, IndexSchemes.load()),
                ingest,
                StrangerSettings.DEFAULTS,
                new Quota(ingest, clock),
                plainMail,
                new SenderCheck(new OwnSenders(tenants, rights, settings), settings, counts, meters),
                DeliveredForms.strict(meters),
                clock);
        return mail -> {
            try {
                Entry entry = admission.admit(mail).entry();
                delivered.accept(Objects.requireNonNull(entry.message()));
                return CompletableFuture.completedFuture(new Receipt(Optional.empty(), false));
            } catch (RefusedException e) {
                return CompletableFuture.failedFuture(e);
            }
        };
    }
}
