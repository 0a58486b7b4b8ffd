@NullMarked
package dev.veilgate.gateway.ingest.mqtt;

import org.jspecify.annotations.NullMarked;
