/** Envelopes by MQTT: from the broker to durable, and dead letters of what is refused for good. */
@NullMarked
package dev.veilgate.gateway.ingest.mqtt;

import org.jspecify.annotations.NullMarked;
