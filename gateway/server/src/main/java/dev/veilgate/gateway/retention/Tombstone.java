package dev.veilgate.gateway.retention;

import java.time.Instant;
import java.util.UUID;

/**
 * What is left of an envelope that was deleted: enough to show that a sender's chain has no other gap.
 *
 * @param digest SHA-256 of its bytes, hexadecimal
 */
record Tombstone(UUID envelope, String sender, long sequence, String digest, String why, Instant deleted) {}
