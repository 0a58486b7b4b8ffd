/** The embedded MQTT broker, and publishing to topics. */
@NullMarked
package dev.veilgate.gateway.broker;

import org.jspecify.annotations.NullMarked;
