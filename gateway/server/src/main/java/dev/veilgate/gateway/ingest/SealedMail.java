package dev.veilgate.gateway.ingest;

import java.util.Optional;

@SuppressWarnings("ArrayRecordComponent")
record SealedMail(byte[] envelope, byte[] delivered) {
    static Optional<SealedMail> read(byte[] message) throws RefusedException {
        return Optional.empty();
    }
}
