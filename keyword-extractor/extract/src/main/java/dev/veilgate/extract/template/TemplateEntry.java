package dev.veilgate.extract.template;

import java.util.Objects;
import java.util.Optional;

/**
 * What a catalogue says of one name.
 *
 * <p>Contains words of messages: {@link #toString} hides them.
 *
 * @param name            the name
 * @param template        the template as it was at {@code version}, with {@code <*>} for what varies
 * @param count           messages of this name
 * @param firstSeenMillis earliest of them, in milliseconds since 1970
 * @param lastSeenMillis  latest of them
 * @param version         the miner's version that brought this entry, from 1
 * @param sameAs          the name that messages of this template have from now on, if it became the same as another;
 *                        this name stays valid for what was sealed before
 */
public record TemplateEntry(
        TemplateName name,
        String template,
        long count,
        long firstSeenMillis,
        long lastSeenMillis,
        long version,
        Optional<TemplateName> sameAs) {
    /** @throws IllegalArgumentException for a count or version of less than 1, or times in the wrong order */
    public TemplateEntry {
        Objects.requireNonNull(name);
        Objects.requireNonNull(template);
        Objects.requireNonNull(sameAs);
        if (count < 1 || version < 1 || lastSeenMillis < firstSeenMillis) {
            throw new IllegalArgumentException(
                    "count and version begin at 1, and the first time is not after the last");
        }
    }

    @Override
    public String toString() {
        return "TemplateEntry[hidden]";
    }
}
