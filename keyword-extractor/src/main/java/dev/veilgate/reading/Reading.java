package dev.veilgate.reading;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.ReaderKeys;
import dev.veilgate.envelope.SenderPublicKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is needed to read what was found: keys that open it, the registered senders, how keywords were extracted. The authority has it in its key folder; a reader has a key of its own, and
 * the rest from the public bundle.
 */
public final class Reading implements AutoCloseable {
    private final EnvelopeOpener opener;
    private final byte[] profile;
    private final Map<String, SenderPublicKey> senders = new HashMap<>();
    private final List<ReaderKey> held;

    private Reading(EnvelopeOpener opener, List<SenderPublicKey> senders, byte[] profile, List<ReaderKey> held) {
        this.opener = opener;
        this.profile = profile;
        this.held = held;
        senders.forEach(sender -> this.senders.put(sender.sender(), sender));
    }

    /** As the authority. */
    public static Reading ofAuthority(TenantKeys keys) {
        return new Reading(keys.opener(), keys.senders(), keys.profile(), List.of());
    }

    /** With a reader's keys, on the authority's side: to see what the reader can see. */
    public static Reading ofReader(List<ReaderKey> held, TenantKeys keys) {
        return new Reading(opener(held), keys.senders(), keys.profile(), held);
    }

    /** As somebody who reads through the authority: what is for the tenant, and of what is for policies what the reader's keys open. */
    public static Reading throughAuthority(List<ReaderKey> held, TenantKeys keys) {
        return new Reading(keys.openerFor(held), keys.senders(), keys.profile(), held);
    }

    /** As a reader. */
    public static Reading ofReader(List<ReaderKey> held, PublicBundle bundle) {
        return new Reading(opener(held), bundle.senders(), bundle.extractorProfile(), held);
    }

    private static EnvelopeOpener opener(List<ReaderKey> held) {
        return new EnvelopeOpener(List.of(), ReaderKeys.of(held));
    }

    /** Opens what the keys open. */
    public EnvelopeOpener opener() {
        return opener;
    }

    /** Whether a registered sender signed an envelope in its name. */
    public boolean isProven(Envelope envelope) {
        return sender(envelope.sender()).filter(envelope::signedBy).isPresent();
    }

    /** The extractor profile, encoded. */
    public byte[] profile() {
        return profile;
    }

    /** The registered sender of that name. */
    public Optional<SenderPublicKey> sender(String name) {
        return Optional.ofNullable(senders.get(name));
    }

    /** Erases the reader's keys. */
    @Override
    public void close() {
        held.forEach(ReaderKey::close);
    }
}
