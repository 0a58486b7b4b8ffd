package dev.veilgate.settings;

import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * In which form mail is sealed.
 *
 * @param signingKey     the tenant's key for signing mail, with its certificates; null where nobody needs it
 * @param passphraseFile holds the passphrase of a signing key in PKCS 12 in its first line; null for one in PEM
 * @param senderKeys     folder of senders' own keys; null for none
 * @param authenticated  whose programs open what needs no signature
 * @param subjects       where it shows its Subject
 * @param owned          as which senders it is signed, if the signing key is that of an authority for senders
 */
public record MailFormSettings(
        @Nullable Path signingKey,
        @Nullable Path passphraseFile,
        @Nullable Path senderKeys,
        AuthenticatedPrograms authenticated,
        ShownSubjects subjects,
        OwnedAddresses owned) {
    /** For recipients whose programs all open AuthEnvelopedData. */
    public static final MailFormSettings AUTHENTICATED = new MailFormSettings(
            null, null, null, new AuthenticatedPrograms(Set.of("*")), ShownSubjects.DEFAULT, OwnedAddresses.DEFAULT);

    /** @throws IllegalArgumentException if there is no key and somebody needs it */
    public MailFormSettings {
        if (signingKey == null && !authenticated.isEverybody()) {
            throw new IllegalArgumentException(
                    "is needed, since mail programs open what is signed: `veilgate keys mail-signer export` writes it. Where all recipients' programs open AuthEnvelopedData, set mail.authenticated to '*' instead");
        }
    }
}
