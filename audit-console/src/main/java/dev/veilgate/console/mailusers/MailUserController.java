package dev.veilgate.console.mailusers;

import dev.veilgate.authority.RecipientRequest;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.settings.ConsoleSettings;
import dev.veilgate.enrolment.MailEnrolment;
import dev.veilgate.enrolment.MailServers;
import dev.veilgate.enrolment.MailServers.Server;
import dev.veilgate.enrolment.MailUser;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.AddressForm;
import dev.veilgate.envelope.smime.RecipientKey;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Users of mail, for keepers. */
@RestController
@RequestMapping("/api/mail-users")
class MailUserController {
    private final Enrolments enrolments;
    private final Custody custody;
    private final ConsoleSettings settings;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    MailUserController(Enrolments enrolments, Custody custody, ConsoleSettings settings, Clock clock) {
        this.enrolments = enrolments;
        this.custody = custody;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * A user to be enrolled.
     *
     * @param key       a label of {@link RecipientKey.Kind}; RSA of 3,072 bits unless given
     * @param request   PKCS #10 in PEM, of a user who made the key
     * @param renew     if the address has a certificate
     * @param anyDomain if its domain may be none of the tenant's
     * @param imap      host or host:port; the known one unless given
     * @param smtp      the same of the mail proxy
     */
    record NewMailUser(
            @Nullable String address,
            @Nullable String scope,
            @Nullable String key,
            @Nullable String request,
            boolean renew,
            boolean anyDomain,
            @Nullable String imap,
            @Nullable String smtp) {}

    record Address(@Nullable String address) {}

    /**
     * A link, and what is told its user by another way. Never printed.
     *
     * @param link       the address of the page that hands the files over
     * @param passphrase of the key; null if its user made it
     */
    record NewLink(String address, String link, @Nullable String passphrase, Instant expires) {
        @Override
        public String toString() {
            return "NewLink[" + address + "]";
        }
    }

    /**
     * The last link of an address.
     *
     * @param state a label of {@link EnrolmentLink.State}
     */
    record Link(
            String state,
            Instant created,
            String createdBy,
            Instant expires,
            @Nullable Instant used) {}

    /**
     * Somebody who reads mail, or is to.
     *
     * @param certificate SHA-256, lower-case hex; null if bundles have none
     * @param issuedHere  if it is by the tenant's own authority
     * @param link        null if none was made here, or long ago
     */
    record Listed(
            String address,
            @Nullable String scope,
            @Nullable String certificate,
            @Nullable Instant notAfter,
            boolean issuedHere,
            @Nullable Link link) {}

    /** All users, and the servers that new ones are told. */
    record MailUsers(
            List<Listed> users,
            @Nullable String imap,
            @Nullable String smtp) {}

    @GetMapping
    MailUsers list(User user) throws Exception {
        user.require(Role.KEEPER);
        MailServers servers = enrolments.servers();
        Map<String, EnrolmentLink> links = new TreeMap<>();
        enrolments.links().forEach(link -> links.put(link.address(), link));
        List<Listed> users = new ArrayList<>();
        List<MailUser> enrolled = custody.use(keys -> keys.recipients().stream()
                .map(each -> MailUser.of(each, keys.mailAuthority()))
                .toList());
        for (MailUser each : enrolled) {
            String address = each.recipient().address();
            users.add(new Listed(
                    address,
                    each.recipient().scope(),
                    each.fingerprint().orElse(null),
                    each.notAfter().orElse(null),
                    each.issuedHere(),
                    link(links.remove(address))));
        }
        links.values().forEach(link -> users.add(new Listed(link.address(), null, null, null, true, link(link))));
        return new MailUsers(
                users,
                servers.imap().map(Server::toString).orElse(null),
                servers.smtp().map(Server::toString).orElse(null));
    }

    private @Nullable Link link(@Nullable EnrolmentLink link) {
        return link == null
                ? null
                : new Link(
                        link.stateAt(clock.instant()).name().toLowerCase(Locale.ROOT),
                        link.created(),
                        link.createdBy(),
                        link.expires(),
                        link.used());
    }

    /** The passphrase and the link are in this answer and nowhere else. */
    @PostMapping("/enrol")
    @ResponseStatus(HttpStatus.CREATED)
    NewLink enrol(User user, @RequestBody NewMailUser wanted) throws Exception {
        user.require(Role.KEEPER);
        String address = address(wanted.address());
        MailServers servers = new MailServers(
                server("imap", wanted.imap(), MailServers.IMAPS), server("smtp", wanted.smtp(), MailServers.PROXY));
        Optional<RecipientKey.Kind> kind = kind(wanted);
        String scope = scope(wanted.scope());
        enrolments.require(address, wanted.renew(), wanted.anyDomain());
        Enrolments.Made made = enrolments.enrol(
                user,
                new Enrolments.Order(
                        address,
                        scope,
                        enrolment(address, kind, wanted.request()),
                        servers,
                        wanted.renew(),
                        wanted.anyDomain()));
        return new NewLink(address, settings.base() + "/enrolment#" + made.secret(), made.passphrase(), made.expires());
    }

    private static String address(@Nullable String given) {
        String address = PublicBundle.canonicalAddress(given == null ? "" : given.strip());
        if (!AddressForm.isTaken(address)) {
            throw ProblemException.malformed(
                    "address is written local@domain, in ASCII letters, digits and signs without blanks and quotes");
        }
        return address;
    }

    private static @Nullable String scope(@Nullable String given) {
        if (given == null || given.isBlank()) {
            return null;
        }
        String scope = given.strip();
        if (scope.chars().anyMatch(Character::isISOControl)) {
            throw ProblemException.malformed("scope has no control characters");
        }
        return scope;
    }

    private static Optional<Server> server(String property, @Nullable String given, int port) {
        if (given == null || given.isBlank()) {
            return Optional.empty();
        }
        Optional<Server> server = Server.parse(given.strip(), port);
        if (server.isEmpty()) {
            throw ProblemException.malformed(
                    property + " is written host or host:port, such as mail.acme.example:" + port);
        }
        return server;
    }

    private static Optional<RecipientKey.Kind> kind(NewMailUser wanted) {
        if (wanted.key() == null) {
            return Optional.empty();
        }
        if (wanted.request() != null) {
            throw ProblemException.malformed("key or request, not both: with a request the key is there");
        }
        Optional<RecipientKey.Kind> kind = RecipientKey.Kind.of(wanted.key());
        if (kind.isEmpty()) {
            throw ProblemException.malformed("key is rsa-3072, rsa-4096, p256 or p384");
        }
        return kind;
    }

    private MailEnrolment enrolment(String address, Optional<RecipientKey.Kind> kind, @Nullable String request) {
        if (request == null) {
            return MailEnrolment.withNewKey(address, kind.orElse(RecipientKey.Kind.RSA_3072), random);
        }
        if (request.length() > RecipientRequest.MAX_BYTES) {
            throw ProblemException.malformed("request has at most " + RecipientRequest.MAX_BYTES + " characters");
        }
        try {
            return MailEnrolment.ofRequest(address, request.getBytes(StandardCharsets.UTF_8), random);
        } catch (RefusedCertificateException e) {
            throw ProblemException.malformed("request: " + e.getMessage());
        }
    }

    @PostMapping("/cancel-link")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void cancel(User user, @RequestBody Address wanted) throws Exception {
        user.require(Role.KEEPER);
        enrolments.cancel(user, address(wanted.address()));
    }

    @PostMapping("/withdraw")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void withdraw(User user, @RequestBody Address wanted) throws Exception {
        user.require(Role.KEEPER);
        enrolments.withdraw(user, address(wanted.address()));
    }
}
