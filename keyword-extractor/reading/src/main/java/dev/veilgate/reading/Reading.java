package dev.veilgate.reading;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.EnvelopeVerifier;
import dev.veilgate.envelope.OpeningHelp;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.ReaderKeys;
import dev.veilgate.envelope.RegisteredSenders;
import dev.veilgate.envelope.smime.TenantSigners;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.secret.Exercises;
import dev.veilgate.secret.Power;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * What is needed to read what was found: keys that open it, the registered senders, how keywords were extracted. The
 * authority has it in its key folder; a reader has a key of its own, and
 * the rest from the public bundle and the sender registry.
 */
@Secret
public final class Reading implements AutoCloseable {
    private final EnvelopeOpener opener;
    private final IndexProfiles profiles;
    private final Optional<EnvelopeVerifier> senders;
    private final TenantSigners mailSigners;
    private final List<ReaderKey> held;

    private Reading(
            EnvelopeOpener opener,
            Optional<RegisteredSenders> senders,
            TenantSigners mailSigners,
            IndexProfiles profiles,
            List<ReaderKey> held) {
        this(profiles, opener, senders.map(EnvelopeVerifier::new), mailSigners, held);
    }

    private Reading(
            IndexProfiles profiles,
            EnvelopeOpener opener,
            Optional<EnvelopeVerifier> senders,
            TenantSigners mailSigners,
            List<ReaderKey> held) {
        this.opener = opener;
        this.profiles = profiles;
        this.mailSigners = mailSigners;
        this.held = held;
        this.senders = senders;
    }

    /**
     * As the authority.
     *
     * @throws IOException if its senders cannot be read
     * @throws MalformedEncodingException if its extractor profile is of other software
     */
    @Exercises(Power.READ_ALL)
    public static Reading ofAuthority(TenantKeys keys) throws IOException, MalformedEncodingException {
        return new Reading(
                keys.opener(), registered(keys), new TenantSigners(keys.mailSigners()), profiles(keys), List.of());
    }

    /**
     * With a reader's keys, on the authority's side: to see what the reader can see.
     *
     * @throws IOException if the tenant's senders cannot be read
     * @throws MalformedEncodingException if its extractor profile is of other software
     */
    public static Reading ofReader(List<ReaderKey> held, TenantKeys keys)
            throws IOException, MalformedEncodingException {
        return new Reading(opener(held), registered(keys), new TenantSigners(keys.mailSigners()), profiles(keys), held);
    }

    /**
     * As somebody who reads through the authority: what is for the tenant, and of what is for policies what the
     * reader's keys open.
     *
     * @throws IOException if the tenant's senders cannot be read
     * @throws MalformedEncodingException if its extractor profile is of other software
     */
    @Exercises(Power.READ_FOR_SOMEBODY)
    public static Reading throughAuthority(List<ReaderKey> held, TenantKeys keys)
            throws IOException, MalformedEncodingException {
        return new Reading(
                keys.openerFor(held), registered(keys), new TenantSigners(keys.mailSigners()), profiles(keys), held);
    }

    /**
     * As a reader.
     *
     * @param senders those of the tenant; empty if they are not known here, and then nothing is proven
     * @throws MalformedEncodingException if its extractor profile is of other software
     */
    public static Reading ofReader(List<ReaderKey> held, PublicBundle bundle, Optional<RegisteredSenders> senders)
            throws MalformedEncodingException {
        return new Reading(
                opener(held), senders, new TenantSigners(bundle.mailSigners()), IndexProfiles.of(bundle), held);
    }

    /** Those of a key folder. */
    public static IndexProfiles profiles(TenantKeys keys) throws MalformedEncodingException {
        return IndexProfiles.of(keys.profiles().first(), keys.profiles().next());
    }

    private static Optional<RegisteredSenders> registered(TenantKeys keys) throws IOException {
        return Optional.of(keys.senders().snapshot());
    }

    /** The same with a server's help, for a reader's keys; closed with this. */
    public Reading helpedBy(OpeningHelp help) {
        EnvelopeOpener helped = new EnvelopeOpener(List.of(), ReaderKeys.of(held), help);
        return new Reading(profiles, helped, senders, mailSigners, held);
    }

    /** The reader's keys; none for the authority. */
    public List<ReaderKey> readerKeys() {
        return held;
    }

    private static EnvelopeOpener opener(List<ReaderKey> held) {
        return new EnvelopeOpener(List.of(), ReaderKeys.of(held));
    }

    /** Opens what the keys open. */
    public EnvelopeOpener opener() {
        return opener;
    }

    /** Whether it is known who is registered; if not, nothing is proven, and that says nothing of anybody. */
    public boolean knowsSenders() {
        return senders.isPresent();
    }

    /**
     * Whether a registered sender signed an envelope in its name.
     *
     * @throws UncheckedIOException if the sender's key cannot be read
     */
    public boolean isProven(Envelope envelope) {
        try {
            return senders.isPresent() && senders.get().signed(envelope);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Certificates that the tenant's mail is signed by, as the public bundle or the key folder has them. */
    public TenantSigners mailSigners() {
        return mailSigners;
    }

    /** By which its keywords were made. */
    public IndexProfiles profiles() {
        return profiles;
    }

    /** Erases the reader's keys. */
    @Override
    public void close() {
        held.forEach(ReaderKey::close);
    }
}
