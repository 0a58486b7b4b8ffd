@NullMarked
package dev.veilgate.profiles;

import org.jspecify.annotations.NullMarked;
