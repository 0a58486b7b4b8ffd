package dev.veilgate.authority;

import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import java.util.SortedMap;

/** The issuing log of a tenant's authority: signed and read with its keys. */
@Secret
public final class AuthorityLog {
    /** Name of the log's folder inside the key folder, where a backup finds it. */
    public static final String FOLDER = "issuing";

    private AuthorityLog() {}

    /**
     * Opens the log in the key folder, or begins one; close it before the folder.
     *
     * @throws IOException as {@link IssuingLog#open} does
     */
    public static IssuingLog open(KeyFolder folder, HeadPolicy policy, Clock clock, SecureRandom random)
            throws IOException {
        return IssuingLog.open(path(folder.path()), folder.keys().signingKey(), policy, clock, random);
    }

    static Path path(Path keyFolder) {
        return keyFolder.resolve(FOLDER);
    }

    /** The key that details are sealed for which only these keys open: the newest wrap key of X-Wing. */
    public static KemPublicKey sealingKey(TenantKeys keys) {
        return keys.rings.wrap.stream()
                .filter(entry -> entry.key().algorithm() == WrapAlgorithm.X_WING)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the tenant has no wrap key of X-Wing"))
                .key()
                .publicKey();
    }

    /**
     * Opens the details that are sealed in an entry with the wrap key that it was sealed for, which may be an old one;
     * empty if nothing is, or for none of them.
     */
    public static Optional<SortedMap<String, String>> unseal(TenantKeys keys, LogEntry entry) {
        for (WrapKeyEntry wrap : keys.rings.wrap) {
            Optional<SortedMap<String, String>> opened = entry.unseal(keys.authority(), wrap.key());
            if (opened.isPresent()) {
                return opened;
            }
        }
        return Optional.empty();
    }
}
