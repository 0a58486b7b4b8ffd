@NullMarked
package dev.veilgate.gateway.http;

import org.jspecify.annotations.NullMarked;
