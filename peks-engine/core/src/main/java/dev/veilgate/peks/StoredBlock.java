package dev.veilgate.peks;

/**
 * What a store keeps of an admitted block, in the form that Test reads without copying: a <em>hot</em> value that every Test
 * reads and a <em>cold</em> one that is read only where the hot one leaves a possible match. The bytes are the scheme's
 * own and private to this version of the software; they can always be made again from the {@link IndexBlock}, and the block
 * from them ({@link IndexScheme#restore}).
 *
 * <p>The arrays are not copied: hundreds of thousands of them are scanned a second.
 *
 * @param hot  read by every Test
 * @param cold read for survivors
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredBlock(byte[] hot, byte[] cold) {}
