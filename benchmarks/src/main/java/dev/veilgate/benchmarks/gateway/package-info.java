/** The installed programs as processes, and cheap clients that speak to them over sockets: for figures and for acceptance. */
@NullMarked
package dev.veilgate.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;
