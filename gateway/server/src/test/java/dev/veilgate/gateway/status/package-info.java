@NullMarked
package dev.veilgate.gateway.status;

import org.jspecify.annotations.NullMarked;
