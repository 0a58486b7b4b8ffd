@NullMarked
package dev.veilgate.gateway.ingest.sender;

import org.jspecify.annotations.NullMarked;
