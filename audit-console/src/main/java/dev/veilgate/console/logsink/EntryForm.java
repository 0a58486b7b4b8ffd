package dev.veilgate.console.logsink;

import dev.veilgate.issuing.LogEntry;

/** Form in which a receiver gets entries. */
interface EntryForm {
    /**
     * Makes the bytes of an entry, with all that belongs around them; the same ones each time.
     *
     * @param tenant whose log it is of
     * @param secret key of its mark
     */
    byte[] encode(String tenant, LogEntry entry, byte[] secret);
}
