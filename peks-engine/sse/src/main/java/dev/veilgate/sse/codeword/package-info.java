/**
 * Codewords over the rows of a table, as the study of symmetric schemes in a cloud (Silveira and others 2024) measures
 * them. Start at {@link dev.veilgate.sse.codeword.CodewordScheme}.
 */
@NullMarked
package dev.veilgate.sse.codeword;

import org.jspecify.annotations.NullMarked;
