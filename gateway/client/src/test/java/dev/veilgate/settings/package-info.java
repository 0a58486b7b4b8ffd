/** Pages of the documentation that are made from the code; for the tests of the servers. */
@NullMarked
package dev.veilgate.settings;

import org.jspecify.annotations.NullMarked;
