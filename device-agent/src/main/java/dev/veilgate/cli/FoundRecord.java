package dev.veilgate.cli;

import java.util.UUID;

/**
 * A record that was found, opened and checked.
 *
 * @param sender   proven, or empty
 * @param origin   where its sender read it; empty if it does not say
 * @param content  not copied
 */
@SuppressWarnings("ArrayRecordComponent")
record FoundRecord(UUID envelope, String sender, long sequence, int ordinal, String origin, byte[] content) {}
