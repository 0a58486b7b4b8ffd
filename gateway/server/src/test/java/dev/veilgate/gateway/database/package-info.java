@NullMarked
package dev.veilgate.gateway.database;

import org.jspecify.annotations.NullMarked;
