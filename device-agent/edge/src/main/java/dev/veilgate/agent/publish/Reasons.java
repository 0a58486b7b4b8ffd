package dev.veilgate.agent.publish;

import java.io.EOFException;
import java.util.Map;
import org.eclipse.paho.mqttv5.common.MqttException;

/** Says what a broker or a network means. */
final class Reasons {
    /** No failure to MQTT, but the broker has thrown the message away. */
    static final int NO_MATCHING_SUBSCRIBERS = 0x10;

    private static final int MAX_SAID = 200;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(NO_MATCHING_SUBSCRIBERS, "nobody has subscribed to the topic: did the gateway ever connect?"),
            Map.entry(0x80, "unspecified error"),
            Map.entry(0x82, "protocol error"),
            Map.entry(0x83, "refused by its implementation"),
            Map.entry(0x84, "it does not speak MQTT 5"),
            Map.entry(0x85, "client id not valid"),
            Map.entry(0x86, "bad user name or password"),
            Map.entry(0x87, "not authorized"),
            Map.entry(0x88, "unavailable"),
            Map.entry(0x89, "busy"),
            Map.entry(0x8A, "banned"),
            Map.entry(0x8B, "shutting down"),
            Map.entry(0x8D, "keep alive timeout"),
            Map.entry(0x8E, "another connection has taken over the session: two agents with one client id?"),
            Map.entry(0x90, "topic name not valid"),
            Map.entry(0x91, "packet id in use"),
            Map.entry(0x93, "receive maximum exceeded"),
            Map.entry(0x95, "packet too large"),
            Map.entry(0x97, "quota exceeded"),
            Map.entry(0x99, "payload format not valid"));

    private Reasons() {}

    static String name(int code) {
        return "the broker says: " + NAMES.getOrDefault(code, "reason code " + code);
    }

    /** @param said what the other side has to say of it, in any characters; empty for nothing */
    static String name(int code, String said) {
        String printable = said.replaceAll("\\P{Print}", "?");
        String cut = printable.substring(0, Math.min(MAX_SAID, printable.length()));
        return name(code) + (cut.isBlank() ? "" : ": " + cut);
    }

    static String describe(Throwable e) {
        if (e instanceof MqttException mqtt) {
            Throwable cause = mqtt.getCause();
            if (cause != null) {
                return describe(cause);
            }
            int code = mqtt.getReasonCode();
            return code >= 0x80 && code <= 0xFF ? name(code) : String.valueOf(mqtt.getMessage());
        }
        if (e instanceof EOFException) {
            return "the broker closed the connection";
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }
}
