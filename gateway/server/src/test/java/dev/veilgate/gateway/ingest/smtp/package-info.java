@NullMarked
package dev.veilgate.gateway.ingest.smtp;

import org.jspecify.annotations.NullMarked;
