package dev.veilgate.console.mailusers;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.http.WholeZip;
import dev.veilgate.console.identity.User;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.enrolment.EnrolmentFiles;
import dev.veilgate.enrolment.MailEnrolment;
import dev.veilgate.enrolment.MailServers;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import dev.veilgate.files.FileNamePart;
import dev.veilgate.issuing.EntryKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/**
 * Enrols and withdraws users of mail for a keeper. Each enrolment makes a certificate and a link to its files; nothing
 * is sealed for it before {@link HandOver} has handed them over, as a bundle that named it earlier would have mail
 * sealed for a key that nobody may ever get. Safe for use by several threads.
 */
@Component
final class Enrolments {
    /** Time from the making of a link to its end. */
    static final Duration LINK_HOLDS = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(Enrolments.class);
    private static final Duration LAPSED_FORGOTTEN = Duration.ofMinutes(1);
    static final String RECIPIENT = "recipient ";

    private final Custody custody;
    private final AuditLog log;
    private final EnrolmentLinks links;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    Enrolments(Custody custody, AuditLog log, EnrolmentLinks links, Clock clock, TaskScheduler scheduler) {
        this.custody = custody;
        this.log = log;
        this.links = links;
        this.clock = clock;
        scheduler.scheduleWithFixedDelay(this::forgetLapsed, LAPSED_FORGOTTEN);
    }

    /**
     * A certificate to be made.
     *
     * @param address   in lower case
     * @param scope     of an auditor of the mailbox; null for the one of before, or {@code mailbox-ADDRESS}
     * @param enrolment its key
     * @param servers   to be told the user, in the place of those that are known
     * @param renew     if the address has a certificate already
     * @param anyDomain if the domain may be none of the tenant's
     */
    record Order(
            String address,
            @Nullable String scope,
            MailEnrolment enrolment,
            MailServers servers,
            boolean renew,
            boolean anyDomain) {}

    /**
     * A link for a new user, and what is told them by another way. Never printed.
     *
     * @param secret     of the link
     * @param passphrase of the key; null if its user made it
     */
    record Made(String address, String secret, @Nullable String passphrase, Instant expires) {
        @Override
        public String toString() {
            return "Made[" + address + "]";
        }
    }

    /** Forgets files of links whose day is over. */
    void forgetLapsed() {
        try {
            links.forgetLapsed(clock.instant());
        } catch (RuntimeException e) {
            LOG.error("files of enrolments whose links are over could not be forgotten; it is tried again", e);
        }
    }

    /** The servers that users are told. */
    MailServers servers() throws Exception {
        return custody.folder(folder -> MailServers.kept(folder.path()));
    }

    /** Refuses, before a key is made, what cannot be enrolled. */
    void require(String address, boolean renew, boolean anyDomain) throws Exception {
        if (links.open(clock.instant()) >= EnrolmentLinks.MAX_OPEN) {
            throw ProblemException.conflict(
                    EnrolmentLinks.MAX_OPEN + " links are open, the most there may be; cancel some");
        }
        custody.use(keys -> require(keys, address, renew, anyDomain));
    }

    private static Optional<Recipient> require(TenantKeys keys, String address, boolean renew, boolean anyDomain)
            throws MalformedEncodingException {
        Optional<Recipient> before = recipient(keys, address);
        if (before.isPresent() && !renew) {
            throw new ProblemException(
                    HttpStatus.CONFLICT, "enrolled", address + " is enrolled already; renew its certificate instead");
        }
        if (before.isEmpty() && renew) {
            throw new ProblemException(
                    HttpStatus.CONFLICT, "not-enrolled", address + " is not enrolled; there is nothing to renew");
        }
        Optional<String> foreign = anyDomain ? Optional.empty() : MailEnrolment.foreignDomain(keys, address);
        if (foreign.isPresent()) {
            throw new ProblemException(HttpStatus.CONFLICT, "foreign-domain", foreign.get());
        }
        return before;
    }

    static Optional<Recipient> recipient(TenantKeys keys, String address) {
        return keys.recipients().stream()
                .filter(each -> each.address().equals(address))
                .findFirst();
    }

    /**
     * Makes a certificate and a link to its files. The issuing log has it before.
     *
     * @throws ProblemException 409 where it cannot be, 423 if the keys are locked
     */
    Made enrol(User by, Order order) throws Exception {
        try (LinkSecret secret = LinkSecret.draw(random)) {
            // one order after another: of two for an address, the later has the link that is listed and open
            return custody.folder(folder -> enrol(folder.path(), by, order, secret));
        }
    }

    private Made enrol(Path folder, User by, Order order, LinkSecret secret) throws Exception {
        MailServers servers = MailServers.kept(folder)
                .with(order.servers().imap(), order.servers().smtp());
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        UUID id = UUID.randomUUID();
        try (Ordered made = custody.change(keys -> issue(keys, by, order, servers, now))) {
            byte[] zip = zip(order.address(), made.issued().files());
            EnrolmentLink link = new EnrolmentLink(
                    id,
                    order.address(),
                    made.issued().recipient().scope(),
                    made.issued().recipient().certificate(),
                    made.before().map(Recipient::certificate).orElse(null),
                    links.nextCreated(order.address(), now),
                    by.id(),
                    now.plus(LINK_HOLDS),
                    secret.seal(id, zip),
                    null,
                    null,
                    null,
                    null);
            Arrays.fill(zip, (byte) 0);
            servers.keep(folder);
            links.add(link, secret.lookup());
            char[] passphrase = made.issued().passphrase();
            return new Made(
                    order.address(),
                    secret.text(),
                    passphrase.length == 0 ? null : String.valueOf(passphrase),
                    link.expires());
        }
    }

    /** @param before the recipient that it is to replace */
    private record Ordered(MailEnrolment.Issued issued, Optional<Recipient> before) implements AutoCloseable {
        @Override
        public void close() {
            issued.close();
        }
    }

    private Ordered issue(TenantKeys keys, User by, Order order, MailServers servers, Instant now) throws Exception {
        Optional<Recipient> before = require(keys, order.address(), order.renew(), order.anyDomain());
        String scope = order.scope() != null
                ? order.scope()
                : before.map(Recipient::scope).orElse("mailbox-" + order.address());
        requireName(order.address(), scope);
        if (keys.mailSigner().isEmpty()) {
            throw new ProblemException(
                    HttpStatus.CONFLICT,
                    "no-mail-signer",
                    "no mail is signed for the tenant yet; veilgate keys mail-signer new makes its signer");
        }
        log.append(order.enrolment()
                .described(Entries.change(
                        EntryKind.SENDER_CHANGE,
                        by.id(),
                        before.isPresent() ? "renewing" : "enrolling",
                        RECIPIENT + order.address())));
        try {
            return new Ordered(order.enrolment().issue(keys, scope, servers, now), before);
        } catch (RefusedCertificateException e) {
            throw ProblemException.conflict("the tenant's authority for mail: " + e.getMessage());
        }
    }

    private static void requireName(String address, String scope) {
        try {
            new Recipient(address, new byte[1], scope);
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed(String.valueOf(e.getMessage()));
        }
    }

    private static byte[] zip(String address, EnrolmentFiles files) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (WholeZip zip = new WholeZip(out)) {
            for (Map.Entry<String, byte[]> each : files.byName().entrySet()) {
                zip.putNextEntry(new ZipEntry(FileNamePart.of(address) + "/" + each.getKey()));
                zip.write(each.getValue());
                zip.closeEntry();
            }
            zip.finish();
        }
        return out.toByteArray();
    }

    /** The last link of each address. */
    List<EnrolmentLink> links() {
        return links.lastOfEach();
    }

    /** Ends a link that nobody has used. A certificate that the address had before stays in bundles. */
    void cancel(User by, String address) throws Exception {
        custody.folder(folder -> {
            if (!links.isOpen(address, clock.instant())) {
                throw ProblemException.notFound("an open link for " + address);
            }
            log.append(Entries.change(
                    EntryKind.SENDER_CHANGE, by.id(), "cancelled the enrolment of", RECIPIENT + address));
            return links.cancel(address, clock.instant());
        });
    }

    /** Takes the certificate of an address out of the next bundle, and ends its link. */
    void withdraw(User by, String address) throws Exception {
        custody.change(keys -> {
            if (recipient(keys, address).isEmpty()) {
                throw ProblemException.notFound("the user");
            }
            log.append(Entries.change(EntryKind.SENDER_CHANGE, by.id(), "withdrawn", RECIPIENT + address));
            links.cancel(address, clock.instant());
            return keys.removeRecipient(address);
        });
    }
}
