@NullMarked
package dev.veilgate.gateway.search;

import org.jspecify.annotations.NullMarked;
