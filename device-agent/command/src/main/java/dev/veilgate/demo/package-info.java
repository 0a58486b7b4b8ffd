/**
 * Everything at once on one machine: a gateway, an agent and a mail proxy as processes of their own, and both roles of the command. What it does is what a
 * person would type, and is shown so.
 */
@NullMarked
package dev.veilgate.demo;

import org.jspecify.annotations.NullMarked;
