/** The issuing log: what was decided, issued and opened, in a form that cannot be altered unseen. */
@NullMarked
package dev.veilgate.console.audit;

import org.jspecify.annotations.NullMarked;
