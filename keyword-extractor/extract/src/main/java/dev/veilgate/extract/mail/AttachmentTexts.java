package dev.veilgate.extract.mail;

import java.io.IOException;
import java.io.InputStream;

/** Reads the attachments of one mail, or leaves them out. */
interface AttachmentTexts {
    /** None is read. */
    AttachmentTexts LEFT_OUT = (type, body, maxChars) -> AttachmentText.refused(Refusal.Reason.LEFT_OUT);

    /**
     * The text of the next attachment.
     *
     * @param type     that the mail declares, lower case
     * @param body     may be left unread
     * @param maxChars characters wanted
     * @throws IOException if {@code body} fails
     */
    AttachmentText read(String type, InputStream body, int maxChars) throws IOException;
}
