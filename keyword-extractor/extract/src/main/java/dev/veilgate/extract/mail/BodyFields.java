package dev.veilgate.extract.mail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.james.mime4j.stream.Field;
import org.jspecify.annotations.Nullable;

/**
 * What a header says of the body below: its type and its transfer encoding. A field that is there twice is read by some programs as the first and by others as the last one says;
 * then both are kept, and {@link #contradict} each other.
 */
final class BodyFields {
    /** Types of messages inside messages, with a header of their own. */
    private static final Set<String> MESSAGES =
            Set.of("message/rfc822", "message/global", "message/news", "message/rfc2822", "message/x-rfc822");

    private static final int MAX_FIELDS = 4;

    private final List<ContentType> types = new ArrayList<>(1);
    private final List<TransferEncoding> encodings = new ArrayList<>(1);
    private final Set<String> written = new HashSet<>(2);

    /** Takes a field if it is one of these. */
    void add(Field field) {
        for (Field one : BareReturns.fields(field)) {
            switch (one.getName().strip().toLowerCase(Locale.ROOT)) {
                case "content-type" -> {
                    String body = HeaderText.raw(one);
                    if (types.size() < MAX_FIELDS && !body.isEmpty() && written.add(body)) {
                        types.add(ContentType.read(body));
                    }
                }
                case "content-transfer-encoding" -> {
                    TransferEncoding encoding = TransferEncoding.read(HeaderText.raw(one));
                    if (!encodings.contains(encoding)) {
                        encodings.add(encoding);
                    }
                }
                default -> {}
            }
        }
    }

    /** The type that decides: the first, but one with parts inside before one without. Null if there is none. */
    @Nullable
    ContentType contentType() {
        for (ContentType type : types) {
            if (type.type().startsWith("multipart/") && type.parameter("boundary") != null || isMessage(type.type())) {
                return type;
            }
        }
        return types.isEmpty() ? null : types.getFirst();
    }

    /** All that the header says of the type, the one that decides first. */
    List<ContentType> contentTypes() {
        List<ContentType> all = new ArrayList<>(types);
        ContentType first = contentType();
        if (first != null) {
            all.remove(first);
            all.addFirst(first);
        }
        return all;
    }

    /** Those that the header names; at least one. */
    List<TransferEncoding> encodings() {
        return encodings.isEmpty() ? List.of(TransferEncoding.PLAIN) : List.copyOf(encodings);
    }

    /** Whether programs would read the body in different ways. */
    boolean contradict() {
        ContentType first = contentType();
        return encodings.size() > 1
                || types.stream().map(ContentType::type).distinct().count() > 1
                || first != null
                        && first.type().startsWith("multipart/")
                        && types.stream()
                                        .flatMap(type -> type.parameters("boundary").stream())
                                        .distinct()
                                        .count()
                                > 1;
    }

    static boolean isMessage(String type) {
        return MESSAGES.contains(type);
    }
}
