package dev.veilgate.extract.mail;

/**
 * Something of a mail that was not read, and why. The rest of the mail was.
 *
 * @param part   which part, as IMAP numbers them: "2.1" is the first part of the second one; "" is the message itself.
 *               Files inside a part are {@code 2/1}. Never a name that the mail chose
 * @param reason why
 */
public record Refusal(String part, Reason reason) {
    /** Why a part was not read, or not wholly. */
    public enum Reason {
        /** The message is longer than allowed; its end was not read. */
        MESSAGE_TOO_LONG,
        /** A header is longer, or has more fields, than allowed; the message was not read on from there. */
        HEADER_TOO_LONG,
        /** Not to be understood as a message; it was not read on from there. */
        MALFORMED_MESSAGE,
        /** Nothing in it by which it could be found. */
        EMPTY,
        /** Too many parts; those from here on were not read. */
        TOO_MANY_PARTS,
        /** Nested too deeply; what is below was not read. */
        TOO_DEEP,
        /** More text than allowed; the rest was not read. */
        TOO_MUCH_TEXT,
        /** More keywords than allowed; those of least rank were dropped: prefixes, then stems, then the last words. */
        TOO_MANY_KEYWORDS,
        /** The charset is not known or a false one; the text was read as UTF-8 or else as Windows-1252. */
        UNKNOWN_CHARSET,
        /** The transfer encoding is not known; the part was not read. */
        UNKNOWN_ENCODING,
        /** A kind of file that is not read: pictures, sound, programs. */
        UNSUPPORTED_TYPE,
        /** Encrypted. */
        ENCRYPTED,
        /** Damaged, or not what it says it is. */
        DAMAGED,
        /** An attachment longer than allowed. */
        TOO_LARGE,
        /** It would unpack to more than allowed. */
        BOMB,
        /** Not looked at: only header and text were asked for. */
        LEFT_OUT,
        /** Reading it took too long and was ended; of a message, what comes behind was not read. */
        TIME_LIMIT,
        /** The reader of attachments died of it, or could not be started. */
        READER_FAILED;

        /** Tells if somebody else, with more time or memory, may have read it. */
        public boolean isOfCost() {
            return this == TIME_LIMIT || this == READER_FAILED;
        }
    }
}
