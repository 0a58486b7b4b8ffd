/**
 * Stores of cells outside the engine: a file ({@link dev.veilgate.archive.store.MvStoreCells}) and a table of a
 * database ({@link dev.veilgate.archive.store.JdbcCells}); and of objects, in a folder
 * ({@link dev.veilgate.archive.store.FolderBlobs}). They know nothing of schemes, keys and documents.
 */
@NullMarked
package dev.veilgate.archive.store;

import org.jspecify.annotations.NullMarked;
