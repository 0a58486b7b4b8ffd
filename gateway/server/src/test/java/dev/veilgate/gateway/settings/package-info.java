@NullMarked
package dev.veilgate.gateway.settings;

import org.jspecify.annotations.NullMarked;
