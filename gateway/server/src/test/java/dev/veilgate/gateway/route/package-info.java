@NullMarked
package dev.veilgate.gateway.route;

import org.jspecify.annotations.NullMarked;
