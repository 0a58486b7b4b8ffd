@NullMarked
package dev.veilgate.gateway.memory;

import org.jspecify.annotations.NullMarked;
