package dev.veilgate.demo;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.net.smtp.SMTPClient;
import org.apache.commons.net.smtp.SMTPReply;

/** A mail program. */
final class MailClient {
    private MailClient() {}

    /** @return how many mails were refused */
    static int send(int port, String from, String to, List<byte[]> mails) throws IOException {
        SMTPClient client = new SMTPClient(StandardCharsets.ISO_8859_1.name());
        client.connect("127.0.0.1", port);
        try {
            client.login("mail-program.example");
            int refused = 0;
            for (byte[] mail : mails) {
                refused += send(client, from, to, mail) ? 0 : 1;
            }
            client.logout();
            return refused;
        } finally {
            client.disconnect();
        }
    }

    private static boolean send(SMTPClient client, String from, String to, byte[] mail) throws IOException {
        if (!client.setSender(from) || !client.addRecipient(to)) {
            client.reset();
            return false;
        }
        Writer data = client.sendMessageData();
        if (data == null) {
            client.reset();
            return false;
        }
        try (data) {
            data.write(withLineEnds(new String(mail, StandardCharsets.ISO_8859_1)));
        }
        return client.completePendingCommand() && SMTPReply.isPositiveCompletion(client.getReplyCode());
    }

    /** Files have what their system has; mail has CR LF. */
    private static String withLineEnds(String text) {
        return text.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\r\n");
    }
}
