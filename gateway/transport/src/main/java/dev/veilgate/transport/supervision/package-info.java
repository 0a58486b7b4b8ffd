/**
 * Messages between a service and the program that runs it, such as systemd, about start and stop. Depends on the JDK
 * only.
 */
@NullMarked
package dev.veilgate.transport.supervision;

import org.jspecify.annotations.NullMarked;
