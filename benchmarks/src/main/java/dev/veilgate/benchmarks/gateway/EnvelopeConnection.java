package dev.veilgate.benchmarks.gateway;

import java.io.IOException;

/** A device's connection to the gateway. */
public interface EnvelopeConnection extends AutoCloseable {
    /**
     * Sends the next envelopes of a file and waits for all acknowledgements.
     *
     * @param most fewer if the file ends
     * @return lines in them
     * @throws IOException if one is refused
     */
    long send(EnvelopeFile file, int most) throws IOException;

    @Override
    void close() throws IOException;
}
