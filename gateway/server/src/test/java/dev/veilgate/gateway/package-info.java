@NullMarked
package dev.veilgate.gateway;

import org.jspecify.annotations.NullMarked;
