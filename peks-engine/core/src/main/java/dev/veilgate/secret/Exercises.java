package dev.veilgate.secret;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says what a method does with the tenant's keys. An application that holds them tests by it which of its parts call such methods, and that they are logged; a method that moves or is renamed keeps its
 * guard. A test of the engine finds methods of an authority that lack it.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Exercises {
    /** The powers that the method exercises; at least one. */
    Power[] value();
}
