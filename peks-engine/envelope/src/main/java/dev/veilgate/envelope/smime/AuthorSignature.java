package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.MailHeader.Field;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells whether a mail program may show the mark of a signature for a message as it was submitted: one signed in the
 * clear (multipart/signed) or opaquely, or encrypted, as a signature may be in that. The answer is by the header alone,
 * and yes where programs could read that in two ways. Signatures of parts within a multipart of another kind, which
 * programs do not take for one of the message, are not looked for.
 */
public final class AuthorSignature {
    private static final Set<String> NAMING = Set.of("content-type", "content-disposition");
    /** Types of signed mail; an application is S/MIME to programs that read so in its name, in pieces or encoded. */
    private static final Pattern SIGNED =
            Pattern.compile("multipart/(?:signed|encrypted)|application/", Pattern.CASE_INSENSITIVE);

    /** S/MIME by its type, or by the name of a file of another type (RFC 8551, section 3.9). */
    private static final Pattern OPAQUE = Pattern.compile("pkcs7|(?:\\.|%2e)p7", Pattern.CASE_INSENSITIVE);

    private AuthorSignature() {}

    /** Tells if a program may find one. */
    public static boolean isPossible(MailHeader header) {
        return !ClearHeader.isClear(header.fields())
                || header.fields().stream()
                        .filter(field -> NAMING.contains(field.name()))
                        .anyMatch(AuthorSignature::isNamed);
    }

    private static boolean isNamed(Field field) {
        String value = field.value();
        return SIGNED.matcher(value).lookingAt() || OPAQUE.matcher(value).find();
    }
}
