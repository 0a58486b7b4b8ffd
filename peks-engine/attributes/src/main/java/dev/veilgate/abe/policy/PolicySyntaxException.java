package dev.veilgate.abe.policy;

/** What somebody wrote is no policy. */
public final class PolicySyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int position;

    PolicySyntaxException(String problem, int position) {
        super(problem + " at character " + (position + 1));
        this.position = position;
    }

    /** Of the character, from 0. */
    public int position() {
        return position;
    }
}
