package dev.veilgate.gateway.ingest;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.smime.OuterHeader;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.deliver.OutboundMail;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.StoredBlock;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All checks of what arrives, before anything is written: form, size, tenant, who may send it, signature, scopes, and
 * each index block as its scheme asks (one that is forged or another message's is refused here). What passes can still
 * lie about its keywords, or lack some that a relay took out of an index that nobody signed: whoever opens a hit
 * extracts them again.
 */
final class Admission {
    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);
    private static final int MAX_ADDRESS = 320;
    private static final int MAX_DOMAIN = 255;

    private final Tenants tenants;
    private final OutdatedBlocks outdated;
    private final IngestSettings settings;
    private final StrangerSettings strangers;
    private final Quota quota;
    private final PlainMailPolicy plainMail;
    private final SenderCheck senders;
    private final DeliveredForm form;
    private final Clock clock;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    Admission(
            Tenants tenants,
            OutdatedBlocks outdated,
            IngestSettings settings,
            StrangerSettings strangers,
            Quota quota,
            PlainMailPolicy plainMail,
            SenderCheck senders,
            DeliveredForm form,
            Clock clock) {
        this.tenants = tenants;
        this.outdated = outdated;
        this.settings = settings;
        this.strangers = strangers;
        this.quota = quota;
        this.plainMail = plainMail;
        this.senders = senders;
        this.form = form;
        this.clock = clock;
    }

    Admitted admit(Submission submission) throws RefusedException {
        return switch (submission) {
            case Submission.OfEnvelope sent -> {
                quota.take(sent.from(), sent.envelope().length);
                Source source = new Source(Optional.of(sent.from()), Optional.empty());
                Arrival arrival = check(sent.envelope(), source, null);
                yield new Admitted(
                        new Entry(arrival.arrived(), sent.envelope(), null, "", List.of()), Optional.of(arrival));
            }
            case Submission.OfMail mail -> admitMail(mail);
        };
    }

    private Admitted admitMail(Submission.OfMail mail) throws RefusedException {
        checkMail(mail);
        if (mail.from().isPresent()) {
            quota.take(mail.from().get(), mail.message().length);
        }
        Optional<SealedMail> sealed = SealedMail.read(mail.message());
        if (sealed.isEmpty()) {
            plainMail.check(mail);
            boolean isReport = plainMail.isReport(mail);
            byte[] delivered = isReport
                    ? form.ofReport(mail.message(), mail.reversePath())
                    : form.ofPlain(mail.message(), mail.reversePath());
            senders.checkPlain(mail, delivered, isReport);
            Entry entry = new Entry(now(), null, delivered, mail.reversePath(), mail.recipients());
            return new Admitted(entry, Optional.empty());
        }
        byte[] envelope = sealed.get().envelope();
        Content content = new Content(sealed.get(), mail);
        Arrival arrival = check(envelope, new Source(mail.from(), mail.client()), content);
        return new Admitted(
                new Entry(arrival.arrived(), envelope, arrival.content(), mail.reversePath(), mail.recipients()),
                Optional.of(arrival));
    }

    /** What the journal, the queue's columns and SMTP take; channels refuse more than this. */
    private static void checkMail(Submission.OfMail mail) throws RefusedException {
        if (mail.message().length == 0) {
            throw new RefusedException(Refusal.MALFORMED, "a mail has at least a header");
        }
        if (mail.recipients().size() > Entry.MAX_RECIPIENTS) {
            throw new RefusedException(
                    Refusal.TOO_LARGE, "a mail has at most " + Entry.MAX_RECIPIENTS + " recipients here");
        }
        for (String address : mail.recipients()) {
            checkLength(address);
        }
        checkLength(mail.reversePath());
        try {
            new OutboundMail(mail.reversePath(), mail.recipients(), mail.message());
        } catch (IllegalArgumentException e) {
            throw new RefusedException(Refusal.MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    private static void checkLength(String address) throws RefusedException {
        if (address.length() > MAX_ADDRESS || address.length() - address.lastIndexOf('@') - 1 > MAX_DOMAIN) {
            throw new RefusedException(
                    Refusal.MALFORMED,
                    "an address has at most " + MAX_ADDRESS + " characters, " + MAX_DOMAIN + " of them for its domain");
        }
    }

    /** Who submits: a login, or the address that mail came from without one. */
    private record Source(Optional<Principal> from, Optional<InetAddress> client) {
        @Override
        public String toString() {
            return from.filter(principal -> principal.kind() != Principal.Kind.MAIL) // those names are mail addresses
                    .map(principal -> principal.kind() + " " + principal.name())
                    .or(() -> client.map(InetAddress::getHostAddress))
                    .orElse("an unknown address");
        }
    }

    /** Content of an envelope, which came beside it. */
    private record Content(SealedMail mail, Submission.OfMail submission) {}

    private Arrival check(byte[] bytes, Source source, @Nullable Content content) throws RefusedException {
        if (bytes.length > settings.maxEnvelope().toBytes()) {
            throw new RefusedException(
                    Refusal.TOO_LARGE,
                    "an envelope has at most " + settings.maxEnvelope().toBytes() + " bytes here");
        }
        Envelope envelope;
        try {
            envelope = Envelope.decode(bytes);
        } catch (MalformedEncodingException e) {
            throw new RefusedException(Refusal.MALFORMED, String.valueOf(e.getMessage()));
        }
        if (envelope.detachedDigest().isPresent() != (content != null)) {
            throw new RefusedException(
                    Refusal.MALFORMED, "an envelope whose content is elsewhere comes with that content, by mail");
        }
        if (envelope.sender().chars().anyMatch(Character::isISOControl)
                || envelope.tenant().chars().anyMatch(Character::isISOControl)) {
            // no database has to take it: what was acknowledged must go through every stage
            throw new RefusedException(Refusal.MALFORMED, "names of senders and tenants have no control characters");
        }
        Tenant tenant = tenants.find(envelope.tenant())
                .orElseThrow(() -> new RefusedException(Refusal.UNKNOWN_TENANT, "this tenant is not served here"));
        if (source.from.isPresent()) {
            checkMaySend(source.from.get(), envelope, content != null);
        }
        Instant now = now();
        if (envelope.sealed().isAfter(now.plus(settings.maxClockSkew()))) {
            throw new RefusedException(
                    Refusal.CLOCK, "sealed in the future: check the clock of the sender, here it is " + now);
        }
        if (content != null && envelope.sender().isEmpty()) { // anybody's mail
            checkStranger(source, envelope, bytes.length, content.mail().contentBytes());
        } else {
            checkSigned(tenant, envelope);
        }
        checkForm(envelope, now);
        checkRules(tenant, envelope);
        List<Optional<StoredBlock>> blocks = blocks(envelope, tenant);
        return new Arrival(envelope, blocks, content == null ? null : delivered(content, envelope, tenant), now);
    }

    private byte[] delivered(Content content, Envelope envelope, Tenant tenant) throws RefusedException {
        SealedMail mail = content.mail();
        Optional<byte[]> named = envelope.detachedDigest();
        if (named.isEmpty() || !Arrays.equals(named.get(), mail.contentDigest())) {
            throw new RefusedException(Refusal.MALFORMED, "the index is that of another message");
        }
        Optional<OuterHeader> bound = senders.bound(DeliveredForm.bound(envelope, tenant), tenant);
        senders.checkSealed(content.submission(), mail.header(), bound, tenant);
        return form.of(mail, bound, content.submission().reversePath());
    }

    private static void checkSigned(Tenant tenant, Envelope envelope) throws RefusedException {
        boolean signed;
        try {
            signed = tenant.senders().signed(envelope);
        } catch (IOException e) {
            LOG.error("the sender registry of {} cannot be read: {}", tenant.name(), e.getMessage());
            throw new RefusedException(Refusal.UNAVAILABLE, "the senders cannot be looked up for now; try again later");
        }
        if (!signed) {
            throw new RefusedException(
                    Refusal.BAD_SIGNATURE, "the sender is not registered, or did not sign this envelope");
        }
    }

    /**
     * Who chose the mask of a block can have made it match what it does not hold: only senders that are known are
     * trusted, for a time.
     */
    private void checkForm(Envelope envelope, Instant now) throws RefusedException {
        if (!outdated.areIn(envelope)) {
            return;
        }
        if (envelope.sender().isEmpty() || outdated.until().isEmpty()) {
            throw new RefusedException(
                    Refusal.OUTDATED,
                    "the index is of a form that is not taken here: update the program that sealed it");
        }
        Instant until = outdated.until().get();
        if (!outdated.areTaken(now)) {
            throw new RefusedException(
                    Refusal.OUTDATED,
                    "the index is of a form that was taken until " + until + ": update the program that sealed it");
        }
        if (told.add(envelope.tenant() + "/" + envelope.sender())) { // registered ones only: they are few
            LOG.warn(
                    "{} of {} seals its index in the form before: searches find it and routes do not see it; taken until {},"
                            + " update its program",
                    envelope.sender(),
                    envelope.tenant(),
                    until);
        }
    }

    /** Searches of an epoch do not ask rules that the tenant has given up in it. */
    private static void checkRules(Tenant tenant, Envelope envelope) throws RefusedException {
        Optional<String> refusal = tenant.bundle().nextProfile().flatMap(next -> next.refusalOf(envelope));
        if (refusal.isPresent()) {
            throw new RefusedException(Refusal.OUTDATED, refusal.get());
        }
    }

    /** Anybody may send mail, so that nobody is asked to be trusted with more index than the mail has words for. */
    private void checkStranger(Source source, Envelope envelope, int indexBytes, int contentBytes)
            throws RefusedException {
        int justified = strangers.justifiedBlocks(contentBytes);
        Map<String, Integer> ofScope = new HashMap<>();
        for (IndexBlock block : envelope.index()) {
            if (ofScope.merge(block.scope(), 1, Integer::sum) > justified) {
                throw new RefusedException(
                        Refusal.TOO_LARGE,
                        "a mail of this size has at most " + justified + " index blocks of a scope here");
            }
        }
        if (source.from.isEmpty() && source.client.isPresent()) {
            quota.take(
                    source.client.get(),
                    (long) indexBytes + contentBytes,
                    envelope.index().size());
        }
    }

    private static void checkMaySend(Principal from, Envelope envelope, boolean isMail) throws RefusedException {
        boolean mayAsSender =
                from.kind() != Principal.Kind.DEVICE || from.name().equals(envelope.sender());
        if (!mayAsSender || !isMail && !from.may(Right.INGEST, envelope.tenant())) {
            throw new RefusedException(Refusal.NOT_ALLOWED, "this login may not send for this tenant and sender");
        }
    }

    private List<Optional<StoredBlock>> blocks(Envelope envelope, Tenant tenant) throws RefusedException {
        if (envelope.index().size() > settings.maxBlocks()) {
            throw new RefusedException(
                    Refusal.TOO_LARGE, "an envelope has at most " + settings.maxBlocks() + " index blocks here");
        }
        Set<IndexBlock> distinct = new HashSet<>();
        for (IndexBlock block : envelope.index()) {
            if (!distinct.add(block)) {
                throw new RefusedException(Refusal.MALFORMED, "an index block is there twice");
            }
            if (!tenant.knowsScope(block.scope())) {
                throw new RefusedException(
                        Refusal.UNKNOWN_SCOPE, "an index block names a scope that the bundle does not");
            }
            if (!tenant.index().knowsKeyOf(block)) {
                throw new RefusedException(
                        Refusal.UNKNOWN_KEY, "an index block is under a key that the bundle does not name");
            }
        }
        try {
            return tenant.index().verify(envelope);
        } catch (MalformedEncodingException e) {
            throw new RefusedException(Refusal.MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
