package dev.veilgate.proxy;

import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.Encryption;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.RefusedSignerException;
import dev.veilgate.envelope.smime.SenderField;
import dev.veilgate.envelope.smime.SignedAs;
import dev.veilgate.extract.mail.MailSummary;
import dev.veilgate.settings.AuthenticatedPrograms;
import dev.veilgate.settings.MailFormSettings;
import dev.veilgate.settings.OwnedAddresses;
import dev.veilgate.settings.ShownSubjects;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * In which form mail is sealed for whom, and what it is signed with.
 *
 * @param signer        null where nobody needs a signature
 * @param own           senders' own keys, which come first
 * @param authenticated whose programs open AuthEnvelopedData, besides those whose certificates say so
 * @param subjects      where the Subject is shown
 * @param owned         addresses of users, as of which their mail is signed
 */
record MailForm(
        @Nullable MailSigner signer,
        SenderKeys own,
        AuthenticatedPrograms authenticated,
        ShownSubjects subjects,
        OwnedAddresses owned) {
    private static final String KEY = "mail.signing-key";

    /** Longest that a mail may have waited at its sender to be signed with its own Date. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(5);

    /** Longest that a sender's clock may be ahead. */
    private static final Duration CLOCK_SLACK = Duration.ofHours(1);

    /** Longest Date that is looked at: what brackets close is looked for again and again. */
    private static final int MAX_DATE = 200;

    /** Zones that all programs read alike; names of others are read as UTC by some, and none as one's own. */
    private static final Pattern SURE_ZONE =
            Pattern.compile(".*\\d\\s+(?:[+-]\\d{4}|GMT|UTC?|Z)\\s*(?:\\(.*\\))?", Pattern.CASE_INSENSITIVE);

    /**
     * Reads the signing key.
     *
     * @throws SigningKeyFile.UnusableSignerException saying what is wrong with it
     */
    static MailForm read(MailFormSettings settings, Instant now) throws SigningKeyFile.UnusableSignerException {
        Path file = settings.signingKey();
        return new MailForm(
                file == null ? null : valid(file, settings.passphraseFile(), now),
                SenderKeys.read(settings.senderKeys(), settings.passphraseFile()),
                settings.authenticated(),
                settings.subjects(),
                settings.owned());
    }

    /** Tells people as whom mail is signed, and what would make that the senders. */
    String asWhom(boolean hasLogins) {
        String more =
                own.byAddress().isEmpty() ? "" : "; " + own.byAddress().size() + " senders with keys of their own";
        if (signer == null) {
            return "by nobody, as all read AuthEnvelopedData";
        }
        if (!signer.isAuthority()) {
            return "as the tenant, which mail programs may mark: a key by `keys mail-signer new --domain` signs as senders"
                    + more;
        }
        if (!hasLogins && !owned.isAnyOwnedWithoutLogin()) {
            return "as the tenant, which mail programs may mark, since nobody logs in here: `mail.sign-as: from` signs as"
                    + " whoever stands in From";
        }
        String domains = String.join(", ", signer.domains());
        return "as senders" + (domains.isEmpty() ? "" : " in " + domains) + " who own their address (mail.sign-as)"
                + more;
    }

    private static MailSigner valid(Path file, @Nullable Path passphraseFile, Instant now)
            throws SigningKeyFile.UnusableSignerException {
        MailSigner signer = SigningKeyFile.read(KEY, file, passphraseFile);
        try {
            signer.requireValid(now);
            return signer;
        } catch (RefusedSignerException e) {
            throw new SigningKeyFile.UnusableSignerException(KEY, file, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * What is wrong with the signing key now, so that recipients or our own opener would doubt what it signs; empty if
     * nothing is.
     */
    String problem(PublicBundle bundle, Instant now) {
        if (signer == null) {
            return "";
        }
        try {
            signer.requireValid(now);
        } catch (RefusedSignerException e) {
            return e.getMessage() + "; export another and restart";
        }
        String expired = own.problem(now);
        if (!expired.isEmpty()) {
            return expired;
        }
        boolean named =
                bundle.mailSigners().stream().anyMatch(chain -> chain.getFirst().equals(signer.leaf()));
        return named
                ? ""
                : "the public bundle does not name the mail signing certificate; fetch a new bundle, or export the key anew";
    }

    /**
     * Two signatures of a message.
     *
     * @param as      inside what is sealed, unless its author signed all of it
     * @param binding signer of the header outside: never a sender's own key, as gateways know those of the tenant only
     */
    record Signatures(SignedAs as, MailSigner binding) {}

    /**
     * The signatures of a message: its sender's, if the key signs as senders, and the user owns the one address that
     * stands in From, and that in Sender, if any; else the tenant's. Its time is the message's Date, as programs
     * compare them, unless the Date is of the future, older than mail waits in a program without a connection, or in a
     * zone that is not read in one way.
     *
     * @param header of the message, as it is signed
     * @param owned  tells if the user owns an address, in lower case
     * @return empty without a key
     */
    Optional<Signatures> signatures(MailHeader header, Predicate<String> owned, Instant now) {
        if (signer == null) {
            return Optional.empty();
        }
        Instant time = date(header)
                .filter(date -> date.isAfter(now.minus(LONGEST_WAIT)) && date.isBefore(now.plus(CLOCK_SLACK)))
                .orElse(now);
        Optional<String> sender = sender(header, owned);
        MailSigner binding =
                sender.flatMap(address -> computed(signer, address)).orElseGet(signer::ofTenant);
        MailSigner as = sender.flatMap(address -> own.of(address, now)
                        .filter(_ -> own.of(address, time).isPresent())) // some programs ask for both
                .orElse(binding);
        SignedAs inside = new SignedAs(as, time.truncatedTo(ChronoUnit.SECONDS));
        return Optional.of(new Signatures(inside, binding));
    }

    private static Optional<MailSigner> computed(MailSigner signer, String address) {
        return signer.permits(address) ? Optional.of(signer.ofSender(address)) : Optional.empty();
    }

    /** Tells if a mail is its sender's own: the login may use the address in From, and that in Sender, if any. */
    static boolean isBySender(MailHeader header, Predicate<String> owned) {
        return sender(header, owned).isPresent();
    }

    /** The address in From, if it can be read in one way only, and the user owns it and that in Sender, if any. */
    private static Optional<String> sender(MailHeader header, Predicate<String> owned) {
        boolean isSent = header.all("sender").isEmpty()
                || SenderField.address(header, "sender").filter(owned).isPresent();
        return SenderField.address(header, "from").filter(owned).filter(_ -> isSent);
    }

    private static Optional<Instant> date(MailHeader header) {
        return header.first("date")
                .filter(field -> field.raw().length() <= MAX_DATE)
                .filter(field -> SURE_ZONE.matcher(field.value()).matches())
                .flatMap(field -> summary(field).date());
    }

    private static MailSummary summary(MailHeader.Field field) {
        return MailSummary.of((field.raw() + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    /** What all of some recipients' programs open. */
    Encryption of(List<RecipientCertificate> recipients) {
        boolean all = recipients.stream()
                .allMatch(each -> each.readsAuthenticated() || authenticated.contains(each.address()));
        return all ? Encryption.AUTHENTICATED : Encryption.SIGNED;
    }
}
