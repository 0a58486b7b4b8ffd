/** Memory of the heap for large mails: who works on one takes a turn, and what is stored is read piece by piece. */
@NullMarked
package dev.veilgate.gateway.memory;

import org.jspecify.annotations.NullMarked;
