@NullMarked
package dev.veilgate.console.routes;

import org.jspecify.annotations.NullMarked;
