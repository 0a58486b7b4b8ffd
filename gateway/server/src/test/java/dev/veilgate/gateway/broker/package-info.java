/** Tests of parts of the embedded broker; those with clients are beside the channel. */
@NullMarked
package dev.veilgate.gateway.broker;

import org.jspecify.annotations.NullMarked;
