/**
 * Keywords of documents and of questions, cut by the same rules: {@link dev.veilgate.archive.words.DocumentWords},
 * {@link dev.veilgate.archive.words.ArchiveQuery} and {@link dev.veilgate.archive.words.ArchiveQuestion}.
 */
@NullMarked
package dev.veilgate.archive.words;

import org.jspecify.annotations.NullMarked;
