package dev.veilgate.console.keys;

import dev.veilgate.authority.KeyBackup;
import dev.veilgate.authority.KeyShare;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.BrokenAnswerException;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.http.WholeZip;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.keys.KeyController.Passphrase;
import dev.veilgate.console.settings.ConsoleSettings;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.peks.FileTrapdoorStore;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The backup and its shares, in one archive: whoever takes it hands the shares out to different people, and erases it. */
@RestController
class BackupController {
    private static final Logger LOG = LoggerFactory.getLogger(BackupController.class);

    private final Custody custody;
    private final AuditLog log;
    private final Attempts attempts;
    private final ConsoleSettings settings;
    private final Clock clock;

    BackupController(Custody custody, AuditLog log, Attempts attempts, ConsoleSettings settings, Clock clock) {
        this.custody = custody;
        this.log = log;
        this.attempts = attempts;
        this.settings = settings;
        this.clock = clock;
    }

    /** Never printed. */
    record BackupRequest(
            int shares, int threshold, @Nullable String passphrase) {
        @Override
        public String toString() {
            return "BackupRequest[" + threshold + " of " + shares + "]";
        }
    }

    @PostMapping("/api/keys/backup")
    void backup(User user, @RequestBody BackupRequest wanted, HttpServletResponse response) throws Exception {
        user.require(Role.KEEPER);
        requireNumbers(wanted);
        requirePassphrase(user, new Passphrase(wanted.passphrase()));
        DurableFiles.createFolder(settings.dataDir());
        Path file = settings.dataDir()
                .resolve("backup-" + UUID.randomUUID() + ".vgbackup"); // sealed; the shares are in memory only
        try {
            KeyBackup backup = custody.folder(folder -> {
                log.append(Entries.change(
                        EntryKind.BACKUP,
                        user.id(),
                        "made",
                        wanted.threshold() + " of " + wanted.shares() + " shares restore it"));
                try (FileTrapdoorStore store = folder.trapdoors()) {
                    return KeyBackup.create(
                            folder,
                            store,
                            file,
                            wanted.threshold(),
                            wanted.shares(),
                            new SecureRandom(),
                            clock.instant());
                }
            });
            try {
                send(backup, file, response);
            } finally {
                backup.shares().forEach(KeyShare::close);
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void requireNumbers(BackupRequest wanted) {
        try {
            KeyBackup.requireShares(wanted.threshold(), wanted.shares());
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed(String.valueOf(e.getMessage()));
        }
    }

    /** All keys leave the console: who logs in as a keeper is not enough, it must be somebody who could have opened them. */
    private void requirePassphrase(User user, Passphrase given) throws Exception {
        byte[] passphrase = given.bytes();
        attempts.begin();
        boolean isRight = false;
        try {
            isRight = custody.folder(folder -> folder.isPassphrase(passphrase));
        } finally {
            Arrays.fill(passphrase, (byte) 0);
            attempts.end(isRight);
        }
        if (!isRight) {
            LOG.warn("{} asked for a backup with a wrong passphrase", user.id());
            throw Passphrase.wrong();
        }
    }

    private static void send(KeyBackup backup, Path file, HttpServletResponse response) throws IOException {
        response.setContentType("application/zip");
        response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"veilgate-backup.zip\"");
        response.flushBuffer(); // from here on nothing but a whole archive is an answer
        try (WholeZip zip = new WholeZip(response.getOutputStream())) {
            zip.putNextEntry(new ZipEntry("keys.vgbackup"));
            Files.copy(file, zip);
            zip.closeEntry();
            for (KeyShare share : backup.shares()) {
                zip.putNextEntry(new ZipEntry("share-" + share.index() + ".txt"));
                zip.write(share.text(backup.tenant()).getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
            zip.finish();
            zip.flush();
        } catch (IOException | RuntimeException e) {
            throw new BrokenAnswerException("a backup was broken off", e);
        }
    }
}
