package dev.veilgate.cli;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.IssuingLogException;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogProblem;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What the authority's commands write into the issuing log of the key folder, before what it tells of leaves. Where no log was begun, none is written: a console begins one, {@code veilgate keys log --begin}
 * too. While a console holds it, it cannot be written: whoever knows the passphrase may still search, and is told that the log does not have it.
 */
final class CommandLog {
    private static final String ACTION = "action";
    private static final String NAME = "name";
    /** Another command has the log for a moment, unless it writes it into something that stalls. */
    private static final long WAIT_MILLIS = 5000;

    /** A command that changes keys has both, but not for so long. */
    private static final long CONSOLE_MILLIS = 300;

    private static final long PAUSE_MILLIS = 50;
    private static final int MAX_NAME = 1000;
    private static final int MAX_USER = 200;

    private CommandLog() {}

    /** Who issues by a command: whom the system knows as the user. */
    static String actor() {
        String user = System.getProperty("user.name", "");
        return "command " + (user.isBlank() ? "?" : user.substring(0, Math.min(MAX_USER, user.length())));
    }

    /** An entry on something that was done to the keys, or with them. */
    static LogDraft done(EntryKind kind, String action, String name) {
        return LogDraft.of(kind, actor())
                .with(ACTION, action)
                .with(NAME, name.substring(0, Math.min(MAX_NAME, name.length())));
    }

    /** A draft with something that only the holder of the tenant's keys may read. */
    static LogDraft sealed(KeyFolder folder, LogDraft draft, String name, String value) {
        KemPublicKey key = AuthorityLog.sealingKey(folder.keys());
        return draft.sealed(key, name, value);
    }

    static boolean isKept(KeyFolder folder) {
        return Files.exists(folder.path().resolve(AuthorityLog.FOLDER));
    }

    /**
     * Writes entries, durably.
     *
     * @return the number of the last one; 0 if no log is kept, or a console holds it
     * @throws CommandFailure if the log is not what was written, or another command does not let go of it: nothing may be issued then
     */
    static long append(Terminal terminal, KeyFolder folder, List<LogDraft> drafts) throws IOException, CommandFailure {
        if (!isKept(folder)) {
            return 0;
        }
        long begin = System.nanoTime();
        while (true) {
            try (IssuingLog log = AuthorityLog.open(folder, HeadPolicy.DEFAULT, terminal.clock(), new SecureRandom())) {
                return log.append(drafts) + drafts.size() - 1;
            } catch (IssuingLogException e) {
                if (e.problem() != LogProblem.IN_USE) {
                    throw new CommandFailure(ExitCode.IO, String.valueOf(e.getMessage()), e);
                }
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                if (millis > CONSOLE_MILLIS && folder.isHeldByAnother()) {
                    terminal.err()
                            .println(
                                    "warning: a console has the issuing log open, and this is not in it; search there, or lock its keys first");
                    return 0;
                }
                if (millis > WAIT_MILLIS) {
                    throw new CommandFailure(
                            ExitCode.IO,
                            "another command has the issuing log open, and nothing is issued that is not in it: try again when it is done",
                            e);
                }
            }
            pause();
        }
    }

    private static void pause() throws CommandFailure {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.IO, "interrupted", e);
        }
    }

    /** {@link #append(Terminal, KeyFolder, List)} of one. */
    static void append(Terminal terminal, KeyFolder folder, LogDraft draft) throws IOException, CommandFailure {
        append(terminal, folder, List.of(draft));
    }
}
