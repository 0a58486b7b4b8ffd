package dev.veilgate.authority;

import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.secret.Secret;
import java.time.Instant;

/** One key that content keys are wrapped for. */
@Secret
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
