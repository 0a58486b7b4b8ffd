package dev.veilgate.agent.publish;

/**
 * An envelope that the gateway refuses for good.
 *
 * @param sequence its number
 * @param why      reason code and reason string of the acknowledgement, in printable characters
 */
public record RefusedEnvelope(long sequence, String why) {}
