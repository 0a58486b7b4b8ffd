/** Mail on its way out: a durable queue, retries, reports. */
@NullMarked
package dev.veilgate.gateway.deliver;

import org.jspecify.annotations.NullMarked;
