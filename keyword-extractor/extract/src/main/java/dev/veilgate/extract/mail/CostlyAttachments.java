package dev.veilgate.extract.mail;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Attachments that took too long to be read, so that the next search does not try again. They are known by HMAC-SHA256
 * under a key of this object, of 128 bits: who finds the names in memory cannot compare them with attachments that
 * they have. With each is known how long was tried; whoever has more time tries again. Whole mails are known, too, by
 * their texts and by all of their attachments together. Who changes a byte of an attachment has another one: against
 * many different ones only {@link AttachmentBudget} helps. For several threads.
 */
public final class CostlyAttachments {
    /** Names that are known; the ones that were asked for least recently go. */
    static final int MOST = 10_000;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int NAME_BYTES = 16;

    private final SecretKeySpec key;
    private final Map<Name, Tried> tried = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Name, Tried> eldest) {
            return size() > MOST;
        }
    };

    /** An attachment's name. */
    record Name(String hex) {}

    private record Tried(long nanos, Refusal.Reason reason) {}

    /** None is known yet. */
    public CostlyAttachments() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        key = new SecretKeySpec(random, ALGORITHM);
        Arrays.fill(random, (byte) 0);
    }

    /**
     * The name of an attachment, a text or a mail.
     *
     * @param type that the mail declares, or what else the bytes are
     */
    Name name(String type, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(type.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return new Name(HexFormat.of().formatHex(mac.doFinal(body), 0, NAME_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Why it was not read when it was tried for as long as {@code available}, if it was. */
    synchronized Optional<Refusal.Reason> find(Name name, long available) {
        Tried before = tried.get(name);
        return before == null || before.nanos < available ? Optional.empty() : Optional.of(before.reason);
    }

    /** Forgets something that was read after all. */
    synchronized void remove(Name name) {
        tried.remove(name);
    }

    synchronized void add(Name name, long nanos, Refusal.Reason reason) {
        tried.merge(name, new Tried(nanos, reason), (old, now) -> old.nanos > now.nanos ? old : now);
    }
}
