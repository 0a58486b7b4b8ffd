package dev.veilgate.application.command;

/**
 * A part of an application that can say what its stop waits for. The application's log names it, for parts that are
 * beans, while the application stops.
 */
public interface StopWaits {
    /**
     * Work that has to end before this part has stopped, such as {@code connections by SMTP: 2}; an empty text if there
     * is none. Does not wait for locks that the stop holds.
     */
    String stopWaitsFor();
}
