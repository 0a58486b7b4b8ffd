/**
 * What the long-running commands share, log agent and mail proxy: lines on standard error, a local port that says how they are, whom to
 * trust over TLS.
 * Nothing of it ever holds an address, a keyword, plaintext or a secret. Depends on nothing; agent and proxy depend on it.
 */
@NullMarked
package dev.veilgate.service;

import org.jspecify.annotations.NullMarked;
