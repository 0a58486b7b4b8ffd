package dev.veilgate.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.veilgate.gateway.access.Principal.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

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
    void whatCouldNotBeReadOnceIsReadTheNextTime() throws IOException {
        Path file = folder.resolve("access");
        String token = grant(AUDITOR);
        grant(DEVICE);
        AccessFile access = new AccessFile(file);
        AccessFile.revoke(file, Kind.TOKEN, AUDITOR.name());
        byte[] revoked = Files.readAllBytes(file);
        FileTime changed = Files.getLastModifiedTime(file);
        overwrite(file, "x".repeat(revoked.length).getBytes(StandardCharsets.US_ASCII), changed);
        access.refresh();
        assertThat(access.token(token)).contains(AUDITOR);
        overwrite(file, revoked, changed); // to look at, it is what it was when reading it failed
        access.refresh();
        assertThat(access.token(token)).isEmpty();
    }

    @Test
    void whatStaysWrongIsSaidOnce() throws IOException {
        Path file = folder.resolve("access");
        grant(AUDITOR);
        AccessFile access = new AccessFile(file);
        Logger logger = (Logger) LoggerFactory.getLogger(AccessFile.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.addAppender(said);
        try {
            Files.writeString(file, "token name=x\n", StandardOpenOption.APPEND);
            access.refresh();
            access.refresh();
            assertThat(said.list).hasSize(1);
            Files.writeString(file, "# and one more\ntoken name=x\n");
            access.refresh();
            assertThat(said.list).as("another line").hasSize(2);
        } finally {
            logger.detachAppender(said);
        }
    }

    /** In place, as if nothing had happened. */
    private static void overwrite(Path file, byte[] content, FileTime changed) throws IOException {
        Files.write(file, content);
        Files.setLastModifiedTime(file, changed);
    }

    @Test
    void withoutAFileNobodyHasAccess() throws IOException {
        assertThat(new AccessFile(folder.resolve("none")).token("vg_x")).isEmpty();
    }
}
