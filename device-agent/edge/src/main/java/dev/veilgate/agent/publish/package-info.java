/** Brings spooled envelopes to an MQTT 5 broker, in order, at least once, until each is acknowledged. */
@NullMarked
package dev.veilgate.agent.publish;

import org.jspecify.annotations.NullMarked;
