package dev.veilgate.console.logsink;

import java.util.List;

/**
 * Entries that are sent together.
 *
 * @param first   number of the first one
 * @param entries their bytes, in the form of the receiver
 * @param last    the last one
 * @param mark    of the last one, which stands for all before it
 */
record Batch(long first, List<byte[]> entries, SinkPosition.Mark last, String mark) {}
