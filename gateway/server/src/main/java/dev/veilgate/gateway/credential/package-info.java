/** Over HTTP: who may send for a tenant. */
@NullMarked
package dev.veilgate.gateway.credential;

import org.jspecify.annotations.NullMarked;
