package dev.veilgate.agent;

import java.util.concurrent.atomic.AtomicLong;

/** What the sealing thread did, for metrics. */
final class Counters {
    final AtomicLong records = new AtomicLong();
    final AtomicLong plainBytes = new AtomicLong();
    final AtomicLong envelopes = new AtomicLong();
    final AtomicLong envelopeBytes = new AtomicLong();
    final AtomicLong heartbeats = new AtomicLong();
    final AtomicLong catalogues = new AtomicLong();
    final AtomicLong lostRecords = new AtomicLong();
    final AtomicLong lostBytes = new AtomicLong();
    final AtomicLong filesLeftOut = new AtomicLong();
    final AtomicLong filesRefused = new AtomicLong();
    final AtomicLong filesCopied = new AtomicLong();
    final AtomicLong setAside = new AtomicLong();
    final AtomicLong diskErrors = new AtomicLong();
    /** Why sealing waits; empty if it does not. */
    volatile String waitsFor = "";
    /** What is wrong with the bundle, now or soon. */
    volatile String bundle = "";

    volatile String sources = "";
}
