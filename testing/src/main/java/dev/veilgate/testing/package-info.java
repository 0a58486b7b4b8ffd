/** What tests of several modules use: their times, free ports, locks between processes, small disks, where a program is. Never released. */
@NullMarked
package dev.veilgate.testing;

import org.jspecify.annotations.NullMarked;
