package dev.veilgate.console.http;

import org.jspecify.annotations.Nullable;

/**
 * A body that names something.
 *
 * @param name as {@link #required} checks it
 */
public record Name(@Nullable String name) {
    private static final int MAX = 255;

    /**
     * The name.
     *
     * @throws ProblemException 400 without one
     */
    public String required() {
        if (name == null || name.isBlank() || name.length() > MAX) {
            throw ProblemException.malformed("name is 1 to " + MAX + " characters");
        }
        return name;
    }
}
