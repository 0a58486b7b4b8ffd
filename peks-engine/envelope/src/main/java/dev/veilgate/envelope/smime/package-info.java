/**
 * Mail under S/MIME for the certificates of recipients: CMS EnvelopedData with AES-256-CBC around a signed entity, or AuthEnvelopedData with AES-256-GCM (RFC 5652, 5083, 5084, 8551), the protection of
 * a message's header fields (RFC 9788), and their opening. Knows nothing of searchable encryption: the content key it hands out once is
 * what the index part of a mail is tied to. {@link dev.veilgate.envelope.smime.MailSigner} is the key that a tenant's mail is signed with.
 *
 * <p>Everything streams: a mail of any size is sealed and opened within a fixed amount of memory.
 */
@NullMarked
package dev.veilgate.envelope.smime;

import org.jspecify.annotations.NullMarked;
