package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log beside the keys. */
class AuthorityLogTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    private Path temporary;

    @Test
    void isSignedByTheAuthorityAndOpensAfterARotation() throws Exception {
        try (KeyFolder folder =
                        KeyFolder.open(SealedWord.keys(temporary), SealedWord.PASSPHRASE, Access.CHANGE, RANDOM);
                IssuingLog log = AuthorityLog.open(
                        folder, HeadPolicy.DEFAULT, Clock.fixed(SealedWord.NOW, ZoneOffset.UTC), RANDOM)) {
            TenantKeys keys = folder.keys();
            log.append(
                    LogDraft.of(EntryKind.REQUESTED, "ada").sealed(AuthorityLog.sealingKey(keys), "keyword", "salary"));
            keys.rotateWrapKey(RANDOM, SealedWord.NOW);
            log.append(
                    LogDraft.of(EntryKind.REQUESTED, "ada").sealed(AuthorityLog.sealingKey(keys), "keyword", "salary"));
            log.append(LogDraft.of(EntryKind.REFUSED, "ben"));
            for (LogEntry sealed : log.newestFirst(3, 2)) {
                assertThat(AuthorityLog.unseal(keys, sealed)).hasValue(new TreeMap<>(Map.of("keyword", "salary")));
            }
            assertThat(AuthorityLog.unseal(keys, log.entry(3).orElseThrow())).isEmpty();
            assertThat(log.head().isSignedBy(keys.authority().fingerprint())).isTrue();
            assertThat(folder.path().resolve(AuthorityLog.FOLDER)).isDirectory();
        }
    }
}
