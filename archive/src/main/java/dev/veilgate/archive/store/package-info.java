/**
 * Stores outside the engine: of cells, in a file ({@link dev.veilgate.archive.store.MvStoreCells}) and a table of a
 * database ({@link dev.veilgate.archive.store.JdbcCells}); of objects, in a folder
 * ({@link dev.veilgate.archive.store.FolderBlobs}), swept by {@link dev.veilgate.archive.store.ObjectSweep}; and of
 * manifests that name them ({@link dev.veilgate.archive.store.FolderManifests}). They know nothing of schemes, keys and
 * documents.
 */
@NullMarked
package dev.veilgate.archive.store;

import org.jspecify.annotations.NullMarked;
