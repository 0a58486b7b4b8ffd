/** Memory of the heap for large mails: who works on one takes a turn. */
@NullMarked
package dev.veilgate.gateway.memory;

import org.jspecify.annotations.NullMarked;
