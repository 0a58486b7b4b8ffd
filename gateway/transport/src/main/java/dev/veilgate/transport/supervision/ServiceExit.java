package dev.veilgate.transport.supervision;

/**
 * Exit statuses of services, of sysexits(3): systemd names them as they are meant, where it takes 4 for a lack of
 * permission. Units start a service again unless its settings forbid it ({@code RestartPreventExitStatus}).
 */
public final class ServiceExit {
    /** The settings forbid a start, or name a file that is not there: it fails again until somebody changes that. */
    public static final int CONFIG = 78;
    /** Something that may pass: a port in use, a database that does not answer, a disk without room. */
    public static final int TEMPORARY = 75;

    private ServiceExit() {}
}
