package dev.veilgate.console.audit;

/** For tests outside of this package: the log takes no entry any more. */
public final class ClosedLog {
    private ClosedLog() {}

    /** Until the keys are locked and opened again. */
    public static void close(AuditLog log) {
        log.read(file -> {
            file.close();
            return true;
        });
    }
}
