@NullMarked
package dev.veilgate.gateway.journal;

import org.jspecify.annotations.NullMarked;
