package dev.veilgate.console.sweep;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.reading.Reading;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keys of a round of a sweep: for what is sealed for the tenant's key, and for what its own attributes open. Those for
 * an epoch are made with its first envelope, when they are in the issuing log. When the tenant's
 * keys are locked, these end with them. For one thread.
 */
final class SweepRights implements AutoCloseable {
    private final Custody custody;
    private final AuditLog log;
    private final Optional<AttributeSet> attributes;
    private final SecureRandom random;
    private final List<ReaderKey> held = new ArrayList<>();
    private final SortedSet<String> epochs = new TreeSet<>();
    private @Nullable Reading reading;
    /** Keys of the tenant that these are made with; others are opened after these were locked. */
    private @Nullable TenantKeys owner;

    private volatile boolean isClosed;

    SweepRights(Custody custody, AuditLog log, Optional<AttributeSet> attributes, SecureRandom random) {
        this.custody = custody;
        this.log = log;
        this.attributes = attributes;
        this.random = random;
    }

    /**
     * The keys of a round, with those for an envelope.
     *
     * @throws ProblemException 423 if the tenant's keys are locked, or were since the first envelope
     */
    Reading of(Envelope envelope) throws Exception {
        SortedSet<String> wanted = new TreeSet<>();
        if (attributes.isPresent() && !envelope.readers().isEmpty()) {
            envelope.index().stream().map(IndexBlock::epoch).forEach(wanted::add);
        }
        return custody.use(keys -> {
            requireOpen();
            if (owner != null && owner != keys) {
                throw ProblemException.locked();
            }
            owner = keys;
            if (attributes.isPresent() && !envelope.readers().isEmpty()) {
                wanted.add(keys.epochs().at(envelope.sealed()).name());
            }
            wanted.removeAll(epochs);
            Reading now = reading;
            if (now != null && wanted.isEmpty()) {
                return now;
            }
            issue(keys, List.copyOf(wanted));
            Reading next = Reading.throughAuthority(held, keys);
            reading = next;
            return next;
        });
    }

    private void issue(TenantKeys keys, List<String> wanted) throws Exception {
        if (wanted.isEmpty() || attributes.isEmpty()) {
            return;
        }
        Label label = new Label.OfAttributes(attributes.get());
        log.append(Entries.attributeKey(Sweep.ACTOR, Sweep.ACTOR, label.toString(), wanted));
        held.addAll(keys.sessionReaderKeys(Sweep.ACTOR, label, wanted, random));
        epochs.addAll(wanted);
    }

    /** @throws ProblemException 423 if the keys are erased: what was opened with them may not have been */
    void requireOpen() {
        if (isClosed) {
            throw ProblemException.locked();
        }
    }

    /** Erases the keys. Others may do so while they are used. */
    @Override
    public void close() {
        isClosed = true;
        held.forEach(ReaderKey::close);
    }
}
