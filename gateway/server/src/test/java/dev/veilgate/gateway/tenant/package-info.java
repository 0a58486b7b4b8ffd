@NullMarked
package dev.veilgate.gateway.tenant;

import org.jspecify.annotations.NullMarked;
