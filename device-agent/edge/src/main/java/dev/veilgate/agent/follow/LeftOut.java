package dev.veilgate.agent.follow;

/** Why a file among the names of rotation was not read. */
public enum LeftOut {
    /** The file that has the log's name is longer and begins with all of its bytes. */
    COPY("the present file begins with the same bytes"),
    /** It could not be opened or read. */
    UNREADABLE("it cannot be read");

    private final String why;

    LeftOut(String why) {
        this.why = why;
    }

    /** For the log. */
    public String why() {
        return why;
    }
}
