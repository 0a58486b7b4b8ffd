package dev.veilgate.encoding;

import java.io.Serial;

/**
 * Untrusted bytes are not a canonical encoding of what was expected. The message names the field and what is allowed;
 * it never contains a secret, a keyword or the offending bytes.
 */
public class MalformedEncodingException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * @param field   the field of the format's specification that is wrong
     * @param allowed what the field may hold
     */
    public MalformedEncodingException(String field, String allowed) {
        super(field + ": " + allowed);
    }
}
