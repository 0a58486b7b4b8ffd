/**
 * The {@code veilgate} command: its entry, and the commands of the authority and those that try the scheme by hand. The agent and the
 * mail proxy are in packages of their own, which never see a tenant's secret key; a test holds that.
 */
@NullMarked
package dev.veilgate.cli;

import org.jspecify.annotations.NullMarked;
