/**
 * Searches without their words: what an authority issues, a gateway runs and a route holds (docs/authority.md). A request is trapdoors
 * and how they belong together; {@link dev.veilgate.query.PreparedSearch} is ready to run. Sees searchable encryption through {@link
 * dev.veilgate.peks.IndexScheme} only, and holds no secret key.
 */
@NullMarked
package dev.veilgate.query;

import org.jspecify.annotations.NullMarked;
