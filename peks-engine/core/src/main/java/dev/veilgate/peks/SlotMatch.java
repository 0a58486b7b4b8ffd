package dev.veilgate.peks;

/**
 * A keyword ciphertext that matched.
 *
 * @param slot    its place in the block
 * @param records the records of the message that contain the keyword, from the posting list that the match has opened; all
 *     records for a scheme without posting lists
 */
public record SlotMatch(int slot, RecordSet records) {}
