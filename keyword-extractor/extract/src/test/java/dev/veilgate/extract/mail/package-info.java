/** Tests of the extraction of mails, and the mails and attachments they are made of. */
@NullMarked
package dev.veilgate.extract.mail;

import org.jspecify.annotations.NullMarked;
