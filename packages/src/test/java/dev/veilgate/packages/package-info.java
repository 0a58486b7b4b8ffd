/** Tests of the packages of this build, in a small Debian that is booted for them, and of what is written for them. */
@NullMarked
package dev.veilgate.packages;

import org.jspecify.annotations.NullMarked;
