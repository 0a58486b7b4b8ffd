package dev.veilgate.envelope.smime;

/** How the content of a sealed mail is encrypted: what the recipients' programs open. */
public enum Encryption {
    /**
     * AuthEnvelopedData (RFC 5083) with AES-256-GCM (RFC 5084): whoever lacks the content key can alter nothing unnoticed. OpenSSL opens it since 3.0; no NSS, and so no Thunderbird, does.
     */
    AUTHENTICATED,

    /**
     * EnvelopedData (RFC 5652, section 6) with AES-256-CBC (RFC 3565): what every program opens. CBC lets an attacker alter the plaintext, block by block, without the key (EFAIL), so the content is a signature
     * (RFC 8551, section 3.5.3) and what is signed.
     */
    SIGNED,

    /**
     * EnvelopedData like {@link #SIGNED}, around a message that its author signed opaquely ({@link OpaqueMessage}): the
     * signature is the author's, and the header above it is under none.
     */
    SIGNED_BY_AUTHOR
}
