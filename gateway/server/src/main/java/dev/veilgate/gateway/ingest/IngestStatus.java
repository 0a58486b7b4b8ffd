package dev.veilgate.gateway.ingest;

import java.util.Optional;

/** How ingestion is. */
public interface IngestStatus {
    /** What keeps what was taken from being stored now; empty if nothing does. */
    Optional<String> trouble();

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
