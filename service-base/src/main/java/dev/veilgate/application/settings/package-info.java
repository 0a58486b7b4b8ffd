/** What an operator sets, checked before anything begins. */
@NullMarked
package dev.veilgate.application.settings;

import org.jspecify.annotations.NullMarked;
