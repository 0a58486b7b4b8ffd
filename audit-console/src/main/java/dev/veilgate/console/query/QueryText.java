package dev.veilgate.console.query;

import dev.veilgate.envelope.smime.MailAuthor;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A search as the user typed it; of the interface.
 *
 * @param query   1 to 8,192 characters
 * @param mail    read as one of mails
 * @param senders only envelopes that name one of them; none for all
 * @param signed  only mails signed so: labels of {@link MailAuthor.Kind}; none for all. No gateway is asked for it, so
 *                trapdoors and approvals are of the whole query
 */
public record QueryText(
        String query,
        String scope,
        boolean mail,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable List<String> senders,
        @Nullable List<String> signed) {
    /** None asked for is no list. */
    public QueryText {
        signed = signed == null || signed.isEmpty() ? null : signed;
    }

    /** Tells if all labels in {@link #signed} are of kinds. */
    public boolean hasKnownSigners() {
        return signed == null
                || signed.stream()
                        .noneMatch(label ->
                                label == null || MailAuthor.Kind.of(label).isEmpty());
    }

    /** Kinds of signers that are asked for; empty for all. Labels that are none are left out. */
    public Set<MailAuthor.Kind> signers() {
        return signed == null
                ? Set.of()
                : signed.stream()
                        .flatMap(label -> MailAuthor.Kind.of(label).stream())
                        .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String toString() {
        return "QueryText[hidden]";
    }
}
