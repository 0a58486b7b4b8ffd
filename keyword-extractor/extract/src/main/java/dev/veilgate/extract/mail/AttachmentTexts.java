package dev.veilgate.extract.mail;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** Reads the attachments of one mail, or leaves them out. */
interface AttachmentTexts {
    /** None is read. */
    AttachmentTexts LEFT_OUT =
            (type, body, maxChars, opener, use) -> use.accept(AttachmentText.refused(Refusal.Reason.LEFT_OUT));

    /**
     * Reads the next attachment, and has its text used. What is done with a text takes time that the attachment has,
     * as reading it does: if that is over meanwhile, the use is broken off, and begins anew with a refusal instead.
     *
     * @param type     that the mail declares, lower case
     * @param body     may be left unread
     * @param maxChars characters wanted
     * @param opener   time of this thread; asked by what the use does
     * @param use      of the text
     * @throws IOException if {@code body} fails
     */
    void read(String type, InputStream body, int maxChars, ProcessorTime opener, Consumer<AttachmentText> use)
            throws IOException;
}
