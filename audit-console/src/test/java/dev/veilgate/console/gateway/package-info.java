@NullMarked
package dev.veilgate.console.gateway;

import org.jspecify.annotations.NullMarked;
