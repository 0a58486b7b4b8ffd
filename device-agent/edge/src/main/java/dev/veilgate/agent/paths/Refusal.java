package dev.veilgate.agent.paths;

/** Why a file is not read that has a name that is asked for. */
public enum Refusal {
    OWN("it is the agent's own: settings, keys, state or log", "it never is; exclude keeps this line away"),
    LINK("a symbolic link leads to it", "set links to same-owner or all"),
    FOREIGN_LINK(
            "a symbolic link leads to it, whose maker is another user than the file's owner",
            "let root make the link in a folder where root alone may write, or set links to all"),
    SECOND_NAME(
            "it has several names (hard links), one of them where other users than its owner may make such",
            "let its owner alone write in the folder, set fs.protected_hardlinks of Linux to 1, or set links to all"),
    FOREIGN_PLACE(
            "it lies where a link or a move of another user's file led to, and has another owner than that",
            "ask for it by a name of its own, or set links to all"),
    NOT_A_FILE("it is a pipe, a socket or a device", "it never is; exclude keeps this line away");

    private final String why;
    private final String remedy;

    Refusal(String why, String remedy) {
        this.why = why;
        this.remedy = remedy;
    }

    /** For the log, behind the name of the file. */
    public String why() {
        return why;
    }

    /** A setting, or what else to do if the file is to be read. */
    public String remedy() {
        return remedy;
    }
}
