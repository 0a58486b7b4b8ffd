package dev.veilgate.peks.pairing;

import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.ScopedTrapdoor;

/**
 * A trapdoor, prepared: decoded, and no more.
 *
 * @param trapdoor what came
 * @param decoded  what a scheme's Test takes
 * @param <T>      a type of that scheme alone
 */
public record DecodedTrapdoor<T>(ScopedTrapdoor trapdoor, T decoded) implements PreparedTrapdoor {
    /**
     * What a scheme prepared itself.
     *
     * @throws IllegalArgumentException if another scheme did
     */
    public static <T> T own(PreparedTrapdoor prepared, Class<T> type) {
        if (prepared instanceof DecodedTrapdoor<?> own && type.isInstance(own.decoded)) {
            return type.cast(own.decoded);
        }
        throw new IllegalArgumentException("the trapdoor was prepared by another scheme");
    }

    @Override
    public String toString() {
        return "Prepared[" + trapdoor + "]";
    }
}
