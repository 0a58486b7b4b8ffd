@NullMarked
package dev.veilgate.gateway.chain;

import org.jspecify.annotations.NullMarked;
