@NullMarked
package dev.veilgate.console.http;

import org.jspecify.annotations.NullMarked;
