/**
 * Keywords of documents and of questions, cut by the same rules: {@link dev.veilgate.archive.words.DocumentWords} and
 * {@link dev.veilgate.archive.words.ArchiveQuery}.
 */
@NullMarked
package dev.veilgate.archive.words;

import org.jspecify.annotations.NullMarked;
