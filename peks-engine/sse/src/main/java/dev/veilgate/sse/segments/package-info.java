/**
 * Segments of an archive: sealed objects that never change, each an index of some documents. A {@link
 * dev.veilgate.sse.segments.SegmentBuilder} makes one of documents, a {@link
 * dev.veilgate.sse.segments.SegmentMerger} one of others, a {@link dev.veilgate.sse.segments.SegmentReader} answers by
 * one, and a {@link dev.veilgate.sse.segments.DeadSet} says which of its documents are deleted. Which segments an
 * archive has says its manifest, which is not kept here. The format is docs/spec/segments.md.
 */
@NullMarked
package dev.veilgate.sse.segments;

import org.jspecify.annotations.NullMarked;
