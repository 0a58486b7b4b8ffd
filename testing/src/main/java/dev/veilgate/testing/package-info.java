/**
 * Parts of tests that several modules use: times of test classes, free ports, locks between processes, small disks,
 * shares of a processor, where a program is. Never released.
 */
@NullMarked
package dev.veilgate.testing;

import org.jspecify.annotations.NullMarked;
