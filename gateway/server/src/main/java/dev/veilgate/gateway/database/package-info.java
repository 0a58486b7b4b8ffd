/** The relational store: H2 in the data folder, or PostgreSQL. */
@NullMarked
package dev.veilgate.gateway.database;

import org.jspecify.annotations.NullMarked;
