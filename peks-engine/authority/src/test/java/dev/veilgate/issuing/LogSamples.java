package dev.veilgate.issuing;

import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.SigningKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** A log of a small authority. */
final class LogSamples {
    static final SecureRandom RANDOM = new SecureRandom();
    static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    static final HeadPolicy SELDOM = new HeadPolicy(1 << 30, Duration.ofDays(10_000));
    static final SigningKey AUTHORITY = SigningKey.generate("acme", RANDOM);
    static final SigningKey STRANGER = SigningKey.generate("acme", RANDOM);
    static final KemSecretKey KEEPER = KemSecretKey.generate(RANDOM);
    static final String FINGERPRINT = AUTHORITY.publicKey().fingerprint();

    private LogSamples() {}

    /** A clock that tests set. */
    static final class SetClock extends Clock {
        private Instant now = NOW;

        void set(Instant instant) {
            now = instant;
        }

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    static IssuingLog open(Path folder) throws IOException {
        return open(folder, SELDOM, new SetClock());
    }

    static IssuingLog open(Path folder, HeadPolicy policy, Clock clock) throws IOException {
        return IssuingLog.open(folder, AUTHORITY, policy, clock, RANDOM);
    }

    static LogDraft draft(int i) {
        return LogDraft.of(EntryKind.TRAPDOOR, "ada")
                .with(DetailName.SCOPE, "plant-7")
                .with(DetailName.TRAPDOOR, "%064x".formatted(i));
    }

    static List<LogDraft> drafts(int count) {
        List<LogDraft> all = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            all.add(draft(i));
        }
        return all;
    }

    static byte[] export(IssuingLog log) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        log.export(out);
        return out.toByteArray();
    }
}
