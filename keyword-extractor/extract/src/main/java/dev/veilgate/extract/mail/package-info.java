/**
 * From a mail to its keywords: {@link dev.veilgate.extract.mail.MailExtractor} reads a message of RFC 5322 and MIME, {@link
 * dev.veilgate.extract.mail.MailQuery} brings what somebody searches for to the same form.
 *
 * <p>Structure is read by mime4j as a stream, language and stems come from Lucene's analyzers, text of HTML from jsoup. Files of office
 * programs and PDF are read by Tika in a process of its own ({@link dev.veilgate.extract.mail.AttachmentWorker}), which is started with the first
 * such file and killed when it takes too long or too much: no attachment can hang or exhaust the sender.
 */
@NullMarked
package dev.veilgate.extract.mail;

import org.jspecify.annotations.NullMarked;
