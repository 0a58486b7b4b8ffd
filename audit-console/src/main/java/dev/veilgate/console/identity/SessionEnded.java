package dev.veilgate.console.identity;

import java.util.UUID;

/**
 * A session is over, for whatever reason: what was decrypted for it goes.
 *
 * @param session as {@link Sessions#id} names it
 */
public record SessionEnded(UUID session) {}
