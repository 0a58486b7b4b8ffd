package dev.veilgate.agent.follow;

/**
 * Records that may share an envelope: of one scope, one media type, one format.
 *
 * @param scope     whose keywords
 * @param mediaType what a record is
 * @param format    name of the log format for the extractor
 */
public record Lane(String scope, String mediaType, String format) {}
