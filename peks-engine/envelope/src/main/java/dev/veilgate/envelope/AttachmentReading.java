package dev.veilgate.envelope;

/**
 * Whether the attachments of a mail were read to their end to make its keywords, as its sender says. Envelopes of
 * before this was said do not say it.
 */
public enum AttachmentReading {
    /** Each was read as far as the rules read it: its words are in the index. */
    WHOLE,
    /** A deadline ended the reading, or the reader failed: words of attachments may be lacking. */
    CUT_SHORT
}
