@NullMarked
package dev.veilgate.gateway.ingest;

import org.jspecify.annotations.NullMarked;
