package dev.veilgate.authority;

import dev.veilgate.envelope.KemSecretKey;
import java.time.Instant;

/** One key that content keys are wrapped for. */
record WrapKeyEntry(Instant created, KemSecretKey key) implements AutoCloseable {
    @Override
    public void close() {
        key.close();
    }

    @Override
    public String toString() {
        return "WrapKeyEntry[hidden, " + key.publicKey().id() + "]";
    }
}
