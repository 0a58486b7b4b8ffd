package dev.veilgate.sse;

/**
 * A number that a scheme can be set up with.
 *
 * @param name     such as {@code bits}
 * @param standard its default
 * @param least    smallest allowed
 * @param most     largest allowed
 * @param help     one line, with the unit
 */
public record Parameter(String name, long standard, long least, long most, String help) {}
