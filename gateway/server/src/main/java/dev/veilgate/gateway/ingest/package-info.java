/** From a channel to durable: what SMTP, MQTT and HTTP hand over, the checks, the journal, and what is done with an arrival afterwards. */
@NullMarked
package dev.veilgate.gateway.ingest;

import org.jspecify.annotations.NullMarked;
