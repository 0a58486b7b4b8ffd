package dev.veilgate.terminal;

import dev.veilgate.transport.supervision.ServiceExit;

/** Exit codes of all commands; {@code veilgate --help} lists them. */
public final class ExitCode {
    /** Done. */
    public static final int OK = 0;
    /** Done, and the answer is no: nothing matches; a chain has a finding. */
    public static final int NO_MATCH = 1;
    /** The command line or the settings are wrong. */
    public static final int USAGE = 2;
    /** The input was refused: damaged, forged, expired, not for this key. */
    public static final int REFUSED = 3;
    /** A file, the network or the disk failed. */
    public static final int IO = 4;
    /** No key, a wrong passphrase, a key file that is damaged or not private. */
    public static final int KEY = 5;
    /** A service failed for a reason that may pass. Service managers take codes up to 7 for something else. */
    public static final int TEMPORARY = ServiceExit.TEMPORARY;
    /** A service cannot start: its settings forbid it, or name a file that is not there. */
    public static final int CONFIG = ServiceExit.CONFIG;
    /** A bug in Veilgate. */
    public static final int BUG = 70;

    private ExitCode() {}
}
