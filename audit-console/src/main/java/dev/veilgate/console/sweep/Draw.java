package dev.veilgate.console.sweep;

/** Result of drawing one number of a sender's chain. */
enum Draw {
    /** The index of each of its records was checked. */
    CHECKED("checked"),
    /** There is nothing in it that an index could lack: a sign of life, or the catalogue of templates. */
    EMPTY("empty"),
    /** Nothing is said of some record, though it was opened; the reasons are among those of its sender. */
    NOT_CHECKED("not_checked"),
    /** The rights of sweeps do not open it. */
    NOT_OPENABLE("not_openable"),
    /** The gateway gave none of this number that its sender signed. */
    NOT_GIVEN("not_given");

    private final String column;

    Draw(String column) {
        this.column = column;
    }

    /** Where it is counted. */
    String column() {
        return column;
    }
}
