/** Connections to the database of an application, whose tables are made first. Depends on nothing of either application. */
@NullMarked
package dev.veilgate.application.database;

import org.jspecify.annotations.NullMarked;
