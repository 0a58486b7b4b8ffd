/**
 * {@code veilgate agent}: reads sources, seals batches, spools and publishes them. One thread reads and seals, one publishes; between them is
 * the disk. Never loads a secret key of the tenant: the public bundle and the sender's identity only.
 */
@NullMarked
package dev.veilgate.agent;

import org.jspecify.annotations.NullMarked;
