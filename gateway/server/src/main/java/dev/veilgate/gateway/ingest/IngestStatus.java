package dev.veilgate.gateway.ingest;

import java.util.Optional;

/** How ingestion is. */
public interface IngestStatus {
    /** What keeps what was taken from being stored now; empty if nothing does. */
    Optional<String> trouble();

    /** Why the database does not do its part now, or lacks what it had: it is asked; empty if all is well. */
    Optional<String> databaseTrouble();

    /** How often the database was found to be older than it had been, and was given again what it lacked. */
    long timesBehind();

    /** Bytes that were taken and are not in store and database yet. */
    long backlogBytes();

    /** Entries that were taken and cannot be applied by this version. */
    int setAside();

    /** Bytes of the journal on the disk. */
    long journalBytes();

    /** Bytes free on the disk. */
    long freeBytes();

    /** Whether so little is free that nothing is taken. */
    boolean diskIsFull();
}
