package dev.veilgate.sse;

import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.List;

/** A scheme of symmetric searchable encryption, as {@link SseSchemes} finds it. It has no state. */
@Secret
public interface SseScheme {
    /** The name, such as {@code suise}: small letters and digits. */
    String id();

    /** A line that says whose it is, and what it is good for. */
    String description();

    /** Numbers that can be set, with defaults. */
    List<Parameter> parameters();

    /** Abilities, and what the server is told. */
    Capabilities capabilities(Parameters parameters);

    /**
     * The owner's side.
     *
     * @param key    of the archive
     * @param state  the owner's own cells, which nobody else reads; empty for a new archive
     * @param random 32 bytes or more are drawn for each operation
     */
    SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) throws SseException;

    /**
     * The server's side.
     *
     * @param store the server's cells of this archive; empty for a new one
     */
    SseServer server(CellStore store, Parameters parameters);
}
