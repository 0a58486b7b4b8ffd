package dev.veilgate.benchmarks;

import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.SigningKey;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What an envelope costs beside its index: 256 records of 100 bytes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-XX:+UseSerialGC"})
public class EnvelopeBenchmark {
    private static final int RECORDS = 256;
    private static final int RECORD_BYTES = 100;

    private SigningKey identity;
    private EnvelopeSealer signing;
    private EnvelopeSealer anonymous;
    private EnvelopeOpener opener;
    private EnvelopeDraft draft;
    private EnvelopeDraft heartbeat;
    private byte[] bytes;
    private Envelope envelope;

    /** Generates keys. */
    @Setup
    public void keys() throws Exception {
        SecureRandom random = new SecureRandom();
        identity = SigningKey.generate("press-4", random);
        KemSecretKey tenant = KemSecretKey.generate(random);
        Clock clock = Clock.systemUTC();
        signing = new EnvelopeSealer("acme", List.of(), tenant.publicKey(), identity, clock, random);
        anonymous = new EnvelopeSealer("acme", List.of(), tenant.publicKey(), null, clock, random);
        opener = new EnvelopeOpener(List.of(tenant));
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            byte[] record = new byte[RECORD_BYTES];
            random.nextBytes(record);
            records.add(record);
        }
        draft = draft(clock.instant(), records);
        heartbeat = draft(clock.instant(), List.of());
        bytes = signing.seal(draft, ChainPosition.first()).bytes();
        envelope = Envelope.decode(bytes);
    }

    private static EnvelopeDraft draft(Instant time, List<byte[]> records) {
        return new EnvelopeDraft("plant-7", "2026-11", time, time, "text/plain", records, List.of(), List.of(), 600);
    }

    /** With a signature. */
    @Benchmark
    public SealedEnvelope seal() {
        return signing.seal(draft, ChainPosition.first());
    }

    /** Without. */
    @Benchmark
    public SealedEnvelope sealUnsigned() {
        return anonymous.seal(draft, ChainPosition.first());
    }

    /** No records, a signature. */
    @Benchmark
    public SealedEnvelope sealHeartbeat() {
        return signing.seal(heartbeat, ChainPosition.first());
    }

    /** Form only. */
    @Benchmark
    public Envelope decode() throws Exception {
        return Envelope.decode(bytes);
    }

    /** Both signatures. */
    @Benchmark
    public boolean verify() {
        return envelope.signedBy(identity.publicKey());
    }

    /** All records. */
    @Benchmark
    public List<byte[]> open() throws Exception {
        return opener.open(envelope);
    }

    /** One record of them. */
    @Benchmark
    public byte[] openOne() throws Exception {
        return opener.openRecord(envelope, RECORDS / 2);
    }
}
