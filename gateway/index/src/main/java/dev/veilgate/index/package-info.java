/**
 * Searchable ciphertexts in Lucene: the documents of index blocks, and a query that runs Test on them. Used by the gateway's own store, and meant for
 * a plugin of Elasticsearch too: it depends on the engine and on lucene-core only.
 */
@NullMarked
package dev.veilgate.index;

import org.jspecify.annotations.NullMarked;
