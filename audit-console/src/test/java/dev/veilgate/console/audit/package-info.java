@NullMarked
package dev.veilgate.console.audit;

import org.jspecify.annotations.NullMarked;
