package dev.veilgate.envelope.smime;

import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The signer of a sealed mail, as far as a tenant's certificates tell.
 *
 * <p>Two signatures may say it: the one inside the sealed content, over the message; and the one of the envelope, over
 * the content's digest, the header outside and the index ({@link BoundHeader}). The one that says more counts: neither
 * can be had without the key. As hard to forge as ECDSA or RSASSA-PKCS1-v1_5 with SHA-256; whoever has the key of the
 * tenant's authority for senders can sign as all of them.
 *
 * @param address whom the certificate names, in lower case; empty where it is not of the tenant, or names nobody
 */
public record MailAuthor(Kind kind, String address) {
    /** Knowledge of who signed; in the order in which one says more than the next. */
    public enum Kind {
        /** The certificate names the address in From. */
        SENDER,
        /** The tenant's certificate names somebody else than From does. */
        ANOTHER,
        /** The tenant's certificate names nobody: some edge sealed it, and did not know whose it is. */
        TENANT,
        /** The signature holds, by a certificate that is not of the tenant. */
        STRANGER,
        /** There is no signature, or none that holds. */
        NOBODY;

        /** The name in settings and output, in lower case. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The kind of a label. */
        public static Optional<Kind> of(String label) {
            return Arrays.stream(values())
                    .filter(each -> each.label().equals(label))
                    .findFirst();
        }
    }

    /** A mail that nobody signed. */
    public static final MailAuthor NONE = new MailAuthor(Kind.NOBODY, "");

    /**
     * The author of a mail.
     *
     * @param envelope of the mail
     * @param inner    certificate by which the signature inside holds; empty if there is none, or it does not hold
     * @param header   of the message inside, as it was sealed
     * @param signers  the tenant's
     */
    public static MailAuthor of(
            BoundHeader envelope, Optional<X509Certificate> inner, MailHeader header, TenantSigners signers) {
        Optional<String> from = SenderField.address(header, "from");
        // The tenant's certificates alone: a stranger who signs an envelope says nothing of the content.
        Optional<X509Certificate> outer = signers.signing(envelope);
        return Stream.of(outer, inner)
                .flatMap(Optional::stream)
                .map(certificate -> of(certificate, from, signers))
                .min(Comparator.comparing(MailAuthor::kind))
                .orElse(NONE);
    }

    private static MailAuthor of(X509Certificate certificate, Optional<String> from, TenantSigners signers) {
        if (signers.isOwn(certificate)) {
            return new MailAuthor(Kind.TENANT, "");
        }
        if (signers.issuers(certificate).isEmpty()) {
            return new MailAuthor(Kind.STRANGER, "");
        }
        List<String> named = TenantSigners.names(certificate);
        if (named.isEmpty()) {
            return new MailAuthor(Kind.TENANT, "");
        }
        boolean isSender = from.filter(
                        address -> TenantSigners.isNamed(certificate, address) && signers.isFor(certificate, address))
                .isPresent();
        return isSender
                ? new MailAuthor(Kind.SENDER, from.get())
                : new MailAuthor(Kind.ANOTHER, named.getFirst().toLowerCase(Locale.ROOT));
    }

    /** Says it in words: {@code signed by ada@example.org}. */
    public String words() {
        return switch (kind) {
            case SENDER -> "signed by " + address;
            case ANOTHER -> "signed by " + address + ", who is not in From";
            case TENANT -> "signed by the tenant";
            case STRANGER -> "signed by a stranger's key";
            case NOBODY -> "signed by nobody";
        };
    }

    @Override
    public String toString() {
        return "MailAuthor[" + kind + "]";
    }
}
