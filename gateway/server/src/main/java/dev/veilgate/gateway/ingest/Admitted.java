package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.store.Arrival;
import java.util.Optional;

/**
 * A submission that passed every check.
 *
 * @param entry   for the journal
 * @param arrival for the store; empty for a plain mail
 */
record Admitted(Entry entry, Optional<Arrival> arrival) {}
