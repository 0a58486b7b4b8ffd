package dev.veilgate.console.mailusers;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.issuing.EntryKind;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Hands the files of a new user of mail over to whoever has the link, once, and has the next bundle name the
 * certificate.
 *
 * <p>The first browser that uses a link is the only one. It may ask again, as an answer can be lost, until it says that
 * it has the files whole or the link's day is over; then the console has them no more. Whoever comes second learns when
 * the first came. Safe for use by several threads.
 */
@Component
final class HandOver {
    private static final String ACTOR = "enrolment link";

    private final Custody custody;
    private final AuditLog log;
    private final EnrolmentLinks links;
    private final Clock clock;

    HandOver(Custody custody, AuditLog log, EnrolmentLinks links, Clock clock) {
        this.custody = custody;
        this.log = log;
        this.links = links;
        this.clock = clock;
    }

    /**
     * The files of a new user. Never printed.
     *
     * @param zip one folder, named as the address
     */
    @SuppressWarnings("ArrayRecordComponent") // written to one answer
    record Files(String address, byte[] zip) {
        @Override
        public String toString() {
            return "Files[" + address + "]";
        }
    }

    /**
     * Hands the files of a link over.
     *
     * @param browser what the browser drew that asks
     * @throws ProblemException 404 for a link that never was, 410 for one that is over or another browser's, 423 if the
     *                          keys are locked, which uses nothing up
     */
    Files handOver(LinkSecret secret, String browser) throws Exception {
        String itsDigest = digest(browser);
        EnrolmentLink link = find(secret);
        requireFor(link, itsDigest);
        // one visit after another, and after what keepers do meanwhile
        return custody.folder(folder -> handOver(folder.keys(), secret, itsDigest));
    }

    private Files handOver(TenantKeys opened, LinkSecret secret, String browser) throws Exception {
        EnrolmentLink link = find(secret);
        byte[] sealed = requireFor(link, browser);
        boolean isInBundles = isInBundles(opened, link);
        if (link.browser() == null && isInBundles) {
            throw gone("its certificate is in bundles already: the link was used, and the database is older");
        }
        if (!isInBundles) {
            custody.change(keys -> publish(keys, secret, link, browser));
        }
        links.settle(link.id());
        try {
            return new Files(link.address(), secret.open(link.id(), sealed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the files of enrolment " + link.id() + " were changed", e);
        }
    }

    private byte[] requireFor(EnrolmentLink link, String browser) {
        byte[] sealed = link.files();
        if (sealed == null || !isFor(link, browser)) {
            throw over(link);
        }
        return sealed;
    }

    private boolean isFor(EnrolmentLink link, String browser) {
        return link.cancelled() == null
                && link.expires().isAfter(clock.instant())
                && (link.browser() == null || link.browser().equals(browser));
    }

    private static boolean isInBundles(TenantKeys keys, EnrolmentLink link) {
        return Enrolments.recipient(keys, link.address())
                .filter(each -> Arrays.equals(each.certificate(), link.certificate()))
                .isPresent();
    }

    private Recipient publish(TenantKeys keys, LinkSecret secret, EnrolmentLink link, String browser) {
        Optional<Recipient> present = Enrolments.recipient(keys, link.address());
        if (!Arrays.equals(present.map(Recipient::certificate).orElse(null), link.replaces())) {
            throw gone("the certificate of " + link.address() + " has changed since the link was made");
        }
        if (!links.use(link.id(), browser, clock.instant())) {
            throw over(find(secret)); // its day is over, or the database was changed by somebody else
        }
        log.append(
                Entries.change(EntryKind.SENDER_CHANGE, ACTOR, "handed over", Enrolments.RECIPIENT + link.address()));
        Recipient recipient = new Recipient(link.address(), link.certificate(), link.scope());
        keys.putRecipient(recipient);
        return recipient;
    }

    /** Forgets files that a browser says it has whole. From another browser nothing is taken. */
    void received(LinkSecret secret, String browser) {
        EnrolmentLink link = find(secret);
        if (!links.receive(link.id(), digest(browser), clock.instant())) {
            throw over(link);
        }
    }

    private EnrolmentLink find(LinkSecret secret) {
        return links.find(secret.lookup()).orElseThrow(() -> ProblemException.notFound("the link"));
    }

    private ProblemException over(EnrolmentLink link) {
        Instant used = link.used();
        if (used != null) {
            return new ProblemException(HttpStatus.GONE, "link-used", "the link was used at " + used);
        }
        return gone(
                switch (link.stateAt(clock.instant())) {
                    case CANCELLED -> "the link was cancelled";
                    case LAPSED -> "the link was good for a day, which is over";
                    case OPEN, USED, RECEIVED -> "the link is over";
                });
    }

    private static ProblemException gone(String detail) {
        return new ProblemException(HttpStatus.GONE, "link-over", detail);
    }

    private static String digest(String browser) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(browser.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
