/** Users of sealed mail: enrolled by a keeper, given their files by a link that works once, withdrawn. */
@NullMarked
package dev.veilgate.console.mailusers;

import org.jspecify.annotations.NullMarked;
