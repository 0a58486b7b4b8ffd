package dev.veilgate.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.access.Principal.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessFileTest {
    private static final Principal AUDITOR = new Principal(
            Kind.TOKEN, "an auditor, 100%", "acme", Set.of(Right.SEARCH, Right.SENDERS), Set.of("plant-7", "a b"));
    private static final Principal DEVICE =
            new Principal(Kind.DEVICE, "press-4", "acme", Set.of(Right.INGEST), Set.of(), Set.of("alerts/#"));

    @TempDir
    Path folder;

    private String grant(Principal principal) throws IOException {
        return AccessFile.grant(folder.resolve("access"), principal, new SecureRandom());
    }

    @Test
    void knowsWhomItGaveASecretAndNobodyElse() throws IOException {
        String token = grant(AUDITOR);
        String password = grant(DEVICE);
        AccessFile access = new AccessFile(folder.resolve("access"));
        assertThat(access.token(token)).contains(AUDITOR);
        assertThat(access.device("press-4", password)).contains(DEVICE);
        assertThat(access.token(password)).isEmpty();
        assertThat(access.device("press-4", token)).isEmpty();
        assertThat(access.device("press-5", password)).isEmpty();
        assertThat(access.mailUser("press-4", password)).isEmpty();
        assertThat(access.token("")).isEmpty();
    }

    @Test
    void holdsNoSecretAndIsItsOwnersOnly() throws IOException {
        String token = grant(AUDITOR);
        Path file = folder.resolve("access");
        assertThat(Files.readString(file)).doesNotContain(token).doesNotContain(token.substring(3));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aNewSecretReplacesTheOldOneAndRevokedIsGone() throws IOException {
        String old = grant(AUDITOR);
        AccessFile access = new AccessFile(folder.resolve("access"));
        String fresh = grant(AUDITOR);
        access.refresh();
        assertThat(access.token(old)).isEmpty();
        assertThat(access.token(fresh)).contains(AUDITOR);
        assertThat(AccessFile.revoke(folder.resolve("access"), Kind.TOKEN, AUDITOR.name()))
                .isTrue();
        access.refresh();
        assertThat(access.token(fresh)).isEmpty();
        assertThat(AccessFile.list(folder.resolve("access"))).isEmpty();
    }

    @Test
    void aWrongLineLeavesWhatWasReadLast() throws IOException {
        String token = grant(AUDITOR);
        AccessFile access = new AccessFile(folder.resolve("access"));
        Files.writeString(folder.resolve("access"), "token name=x tenant=y rights=all\n", StandardOpenOption.APPEND);
        access.refresh();
        assertThat(access.token(token)).contains(AUDITOR);
        assertThatThrownBy(() -> new AccessFile(folder.resolve("access")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 3");
    }

    @Test
    void withoutAFileNobodyHasAccess() throws IOException {
        assertThat(new AccessFile(folder.resolve("none")).token("vg_x")).isEmpty();
    }
}
