/** What the tests of architecture of all modules share. */
@NullMarked
package dev.veilgate.architecture;

import org.jspecify.annotations.NullMarked;
