/**
 * What all records share on their way to keywords: the rules that a tenant signed ({@link dev.veilgate.extract.ExtractorProfile}), how text
 * is normalised and cut into tokens ({@link dev.veilgate.extract.KeywordText}, {@link dev.veilgate.extract.Tokenizer}), the keywords of one
 * record ({@link dev.veilgate.extract.RecordKeywords}) and of a batch ({@link dev.veilgate.extract.PostingCollector}), and what a
 * search asks for ({@link dev.veilgate.extract.KeywordQuery}).
 *
 * <p>Records and queries go through the same code, so that a word is searched as it was indexed. Depends on {@link dev.veilgate.peks} and
 * {@link dev.veilgate.encoding}; the packages of single kinds of records ({@code log}, {@code mail}) depend on this one.
 */
@NullMarked
package dev.veilgate.extract;

import org.jspecify.annotations.NullMarked;
