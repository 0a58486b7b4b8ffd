package dev.veilgate.console.identity;

/**
 * Somebody came or went, or tried to.
 *
 * @param user    as the log names people; empty if it is nobody who is known
 * @param address where the request came from
 * @param about   roles of who came; why somebody was refused
 */
public record LoginEvent(Kind kind, String user, String address, String about) {
    /** What happened. */
    public enum Kind {
        /** Logged in. */
        IN,
        /** Logged out. */
        OUT,
        /** Guesses passwords. */
        REFUSED
    }
}
