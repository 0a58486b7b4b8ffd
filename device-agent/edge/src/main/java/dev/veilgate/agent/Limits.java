package dev.veilgate.agent;

import dev.veilgate.settings.AgentSettings;
import java.time.Duration;

/**
 * Bounds that sealing keeps.
 *
 * @param batch     of an envelope
 * @param spool     of the disk
 * @param heartbeat the promise; zero for none
 * @param templates least time between two catalogues
 */
record Limits(AgentSettings.Batch batch, AgentSettings.SpoolBounds spool, Duration heartbeat, Duration templates) {}
