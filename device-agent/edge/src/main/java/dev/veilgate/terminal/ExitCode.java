package dev.veilgate.terminal;

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
    /** A bug in Veilgate. */
    public static final int BUG = 70;

    private ExitCode() {}
}
