package dev.veilgate.envelope.smime;

/** A message that cannot be sealed as it is. The text names the rule, never a part of the message. */
public final class MalformedMailException extends Exception {
    private static final long serialVersionUID = 1L;

    public MalformedMailException(String message) {
        super(message);
    }
}
