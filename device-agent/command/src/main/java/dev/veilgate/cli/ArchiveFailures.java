package dev.veilgate.cli;

import dev.veilgate.archive.UnusableArchiveException;
import dev.veilgate.archive.UnusableKeyException;
import dev.veilgate.archive.store.DamagedStoreException;
import dev.veilgate.sse.OutdatedStateException;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.segments.DamagedObjectException;
import dev.veilgate.sse.segments.OtherEpochException;
import dev.veilgate.sse.segments.RolledBackException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Exit codes of what can go wrong with an archive. */
final class ArchiveFailures {
    private ArchiveFailures() {}

    /** Work on an archive. */
    @FunctionalInterface
    interface Work {
        int run() throws Exception;
    }

    static int named(Work work) throws Exception {
        try {
            return work.run();
        } catch (UncheckedIOException e) {
            throw named(Objects.requireNonNull(e.getCause())); // none is made without
        } catch (IOException e) {
            throw named(e);
        }
    }

    private static Exception named(IOException e) {
        return switch (e) {
            case RefusedException r -> new CommandFailure(ExitCode.USAGE, String.valueOf(r.getMessage()), r);
            case OutdatedStateException o -> new CommandFailure(ExitCode.REFUSED, String.valueOf(o.getMessage()), o);
            case UnusableKeyException k -> new CommandFailure(ExitCode.KEY, String.valueOf(k.getMessage()), k);
            case UnusableArchiveException u -> new CommandFailure(ExitCode.REFUSED, String.valueOf(u.getMessage()), u);
            case OtherEpochException o ->
                new CommandFailure(
                        o.isNewer() ? ExitCode.KEY : ExitCode.REFUSED,
                        o.getMessage() + (o.isNewer() ? ": veilgate archive key restore DIR BACKUP" : ""),
                        o);
            case RolledBackException r ->
                new CommandFailure(ExitCode.REFUSED, r.getMessage() + ": veilgate archive accept DIR", r);
            case DamagedObjectException d -> new CommandFailure(ExitCode.REFUSED, String.valueOf(d.getMessage()), d);
            case DamagedStoreException d -> new CommandFailure(ExitCode.REFUSED, String.valueOf(d.getMessage()), d);
            default -> e;
        };
    }
}
