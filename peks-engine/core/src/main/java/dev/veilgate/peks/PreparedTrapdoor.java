package dev.veilgate.peks;

/**
 * A trapdoor made ready by its scheme for many Tests. Immutable and safe for use by several threads; it is worth as much as
 * the trapdoor and never prints it.
 */
public interface PreparedTrapdoor {
    /** The trapdoor that was prepared. */
    ScopedTrapdoor trapdoor();
}
