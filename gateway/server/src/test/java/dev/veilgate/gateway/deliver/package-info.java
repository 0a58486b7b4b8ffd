@NullMarked
package dev.veilgate.gateway.deliver;

import org.jspecify.annotations.NullMarked;
