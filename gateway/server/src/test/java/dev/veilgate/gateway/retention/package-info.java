@NullMarked
package dev.veilgate.gateway.retention;

import org.jspecify.annotations.NullMarked;
