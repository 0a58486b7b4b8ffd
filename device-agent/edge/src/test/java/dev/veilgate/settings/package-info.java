/** Tests of the settings. */
@NullMarked
package dev.veilgate.settings;

import org.jspecify.annotations.NullMarked;
