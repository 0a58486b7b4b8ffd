@NullMarked
package dev.veilgate.console.mailusers;

import org.jspecify.annotations.NullMarked;
