package dev.veilgate.peks;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.Serial;

/**
 * An index block is well formed, but made to match trapdoors whose keywords it does not hold. No honest sender makes one, so that
 * whoever sent it can be held to account; a block that is merely malformed may be a program's fault.
 */
public final class ForgedBlockException extends MalformedEncodingException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * @param field   the field of the scheme's specification that is forged
     * @param allowed what the field may hold
     */
    public ForgedBlockException(String field, String allowed) {
        super(field, allowed);
    }
}
