/**
 * An archive in a folder: {@link dev.veilgate.archive.ArchiveFolder} has both sides of a symmetric scheme in files, the
 * owner's key, and the sealed names and words of the documents. It knows schemes by their contract only.
 *
 * <p>Beside it: {@code words}, how documents and questions become keywords; {@code source}, documents of mails, text
 * files and CSV; {@code store}, where cells are kept.
 */
@NullMarked
package dev.veilgate.archive;

import org.jspecify.annotations.NullMarked;
