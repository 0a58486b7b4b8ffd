@NullMarked
package dev.veilgate.gateway.store;

import org.jspecify.annotations.NullMarked;
