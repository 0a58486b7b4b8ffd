package dev.veilgate.cli;

import dev.veilgate.reading.EventTime;
import java.util.UUID;

/**
 * A record that was found, opened and checked.
 *
 * @param sender   proven, or empty
 * @param origin   where its sender read it; empty if it does not say
 * @param time     when it happened
 * @param content  not copied
 */
@SuppressWarnings("ArrayRecordComponent")
record FoundRecord(
        UUID envelope, String sender, long sequence, int ordinal, String origin, EventTime time, byte[] content) {}
