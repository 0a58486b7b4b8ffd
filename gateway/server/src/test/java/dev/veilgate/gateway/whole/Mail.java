package dev.veilgate.gateway.whole;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.commons.net.smtp.SMTPClient;

/** A mail server that delivers to the gateway. */
final class Mail {
    private Mail() {}

    /** @throws IOException with the reply if the mail is not taken */
    static void send(int port, String from, String to, byte[] message) throws IOException {
        SMTPClient client = new SMTPClient(StandardCharsets.ISO_8859_1.name());
        client.setConnectTimeout(60_000);
        client.setDefaultTimeout(60_000);
        client.connect("127.0.0.1", port);
        try {
            client.login("client.example");
            boolean taken = client.setSender(from) && client.addRecipient(to);
            Writer data = taken ? client.sendMessageData() : null;
            if (data == null) {
                throw new IOException(client.getReplyString());
            }
            try (data) {
                data.write(new String(message, StandardCharsets.ISO_8859_1));
            }
            if (!client.completePendingCommand()) {
                throw new IOException(client.getReplyString());
            }
            client.logout();
        } finally {
            client.disconnect();
        }
    }
}
