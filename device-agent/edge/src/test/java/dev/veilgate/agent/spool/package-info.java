@NullMarked
package dev.veilgate.agent.spool;

import org.jspecify.annotations.NullMarked;
