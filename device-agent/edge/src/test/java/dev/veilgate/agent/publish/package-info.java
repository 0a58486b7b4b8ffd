@NullMarked
package dev.veilgate.agent.publish;

import org.jspecify.annotations.NullMarked;
