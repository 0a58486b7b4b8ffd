@NullMarked
package dev.veilgate.gateway.access;

import org.jspecify.annotations.NullMarked;
