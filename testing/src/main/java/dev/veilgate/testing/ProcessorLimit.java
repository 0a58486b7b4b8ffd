package dev.veilgate.testing;

import java.io.IOException;

/** A way to keep processes from the processor. For one thread at a time. */
interface ProcessorLimit {
    /** Limits a process with all that it started and will start. */
    void add(ProcessHandle process) throws IOException;

    /** Lets all of them go. */
    void close() throws IOException;
}
