package dev.veilgate.issuing;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.envelope.KemPublicKey;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What is to be written into the log: the log adds number, time and the digest of the entry before. Immutable; each method that adds something gives a new
 * draft.
 */
public final class LogDraft {
    /** The order in which deterministic CBOR has text keys. */
    static final Comparator<String> KEY_ORDER =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9-]{0,63}");

    /** Details that must not be in clear, and who may open them. */
    record Secret(KemPublicKey recipient, SortedMap<String, String> details) {
        @Override
        public String toString() {
            return "Secret[" + details.keySet() + "]";
        }
    }

    private final EntryKind kind;
    private final String actor;
    private final SortedMap<String, String> details;
    private final Optional<Secret> secret;

    private LogDraft(EntryKind kind, String actor, SortedMap<String, String> details, Optional<Secret> secret) {
        this.kind = kind;
        this.actor = actor;
        this.details = details;
        this.secret = secret;
    }

    /**
     * A draft without details.
     *
     * @param actor who did it, 1 to 255 bytes of UTF-8
     * @throws IllegalArgumentException for such a name as cannot be
     */
    public static LogDraft of(EntryKind kind, String actor) {
        checkActor(actor);
        return new LogDraft(kind, actor, new TreeMap<>(KEY_ORDER), Optional.empty());
    }

    /**
     * With a detail, in clear for whoever reads the log; one of the same name is replaced. Names that the specification gives a meaning are in {@link
     * DetailName}.
     *
     * @param name  letters a to z, digits and hyphens, 1 to 64, a letter first
     * @param value at most 4,096 bytes of UTF-8
     * @throws IllegalArgumentException naming what is wrong, or for more than 32 details
     */
    public LogDraft with(String name, String value) {
        checkDetail(name, value);
        SortedMap<String, String> more = new TreeMap<>(KEY_ORDER);
        more.putAll(details);
        more.put(name, value);
        if (more.size() > LogFormat.MAX_DETAILS) {
            throw new IllegalArgumentException("an entry has at most " + LogFormat.MAX_DETAILS + " details");
        }
        return new LogDraft(kind, actor, more, secret);
    }

    /** {@link #with(String, String)} for each of a map. */
    public LogDraft with(Map<String, String> all) {
        LogDraft draft = this;
        for (Map.Entry<String, String> detail : all.entrySet()) {
            draft = draft.with(detail.getKey(), detail.getValue());
        }
        return draft;
    }

    /**
     * With a detail that only the holder of a key may read, such as a keyword; one of the same name is replaced, others stay. They are sealed together when the entry gets its number, to which they
     * are bound.
     *
     * @param recipient the same for all of an entry
     * @param name      as of {@link #with(String, String)}
     * @param value     at most {@link #sealedRoom} bytes of UTF-8
     * @throws IllegalArgumentException naming what is wrong, or for more than 32 of them
     */
    public LogDraft sealed(KemPublicKey recipient, String name, String value) {
        checkName(name);
        SortedMap<String, String> more = new TreeMap<>(KEY_ORDER);
        secret.ifPresent(before -> more.putAll(before.details()));
        more.put(name, value);
        if (secret.isPresent() && !secret.get().recipient().equals(Objects.requireNonNull(recipient, "recipient"))) {
            throw new IllegalArgumentException("what is sealed in an entry is for one recipient");
        }
        if (more.size() > LogFormat.MAX_DETAILS) {
            throw new IllegalArgumentException("an entry has at most " + LogFormat.MAX_DETAILS + " sealed details");
        }
        if (SealedDetails.encode(more).length > LogFormat.MAX_SECRET_BYTES) {
            throw new IllegalArgumentException(
                    "what is sealed in an entry has at most " + LogFormat.MAX_SECRET_BYTES + " bytes");
        }
        return new LogDraft(kind, actor, details, Optional.of(new Secret(recipient, more)));
    }

    /** How many bytes of UTF-8 a further sealed detail of this name may have. */
    public int sealedRoom(String name) {
        return SealedDetails.room(secret.map(Secret::details).orElseGet(TreeMap::new), name);
    }

    EntryKind kind() {
        return kind;
    }

    String actor() {
        return actor;
    }

    SortedMap<String, String> details() {
        return details;
    }

    Optional<Secret> secret() {
        return secret;
    }

    static void checkActor(String actor) {
        int length = ByteWriter.utf8(actor).length;
        if (length < 1 || length > LogFormat.MAX_ACTOR_BYTES) {
            throw new IllegalArgumentException(
                    "actor: must have 1 to " + LogFormat.MAX_ACTOR_BYTES + " bytes in UTF-8");
        }
    }

    static void checkDetail(String name, String value) {
        checkName(name);
        if (ByteWriter.utf8(value).length > LogFormat.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "details: " + name + " must have at most " + LogFormat.MAX_VALUE_BYTES + " bytes in UTF-8");
        }
    }

    private static void checkName(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "details: a name has 1 to 64 letters a to z, digits and hyphens, a letter first");
        }
    }

    static boolean isName(String name) {
        return KEY.matcher(name).matches();
    }

    @Override
    public String toString() {
        return "LogDraft[" + kind + "]";
    }
}
