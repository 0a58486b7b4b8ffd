package dev.veilgate.secret;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class that has a secret or makes use of one: a secret key or a share of it, a key from a passphrase, the content key of a message or the secret that wraps it, whoever signs, opens or makes
 * trapdoors with one of these, the scheme that makes such keys, and the codec that reads them. A class that is nested in a marked one counts as marked.
 *
 * <p>A scheme whose type has both halves is marked as a whole. Senders reach its public half through a class without the mark, which takes public keys. Not marked is a statement or an envelope with a method
 * that takes the caller's key: the key is.
 *
 * <p>Who must not touch secrets, such as a gateway or a sender, is tested against this mark. A test of the engine finds classes that look as if they had a secret and lack it.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Secret {}
