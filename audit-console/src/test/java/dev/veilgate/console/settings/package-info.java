@NullMarked
package dev.veilgate.console.settings;

import org.jspecify.annotations.NullMarked;
