package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.edge.Main;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Mail that {@code veilgate-edge mail send} seals. */
final class SentMail {
    private SentMail() {}

    /** Seals a mail with the signing key of a lab. */
    static void send(MailLab lab, String mail, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "mail",
                "send",
                "--bundle",
                lab.bundle.toString(),
                "--authority",
                lab.fingerprint(),
                "--signing-key",
                lab.signingKey.toString()));
        if (lab.signingPassphrase != null) {
            arguments.addAll(List.of("--signing-passphrase-file", lab.signingPassphrase.toString()));
        }
        arguments.addAll(List.of(more));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(said, true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(mail.getBytes(StandardCharsets.UTF_8)),
                print,
                print,
                Map.of(),
                lab.clock,
                false,
                false,
                question -> null);
        assertThat(Main.run(terminal, arguments.toArray(String[]::new)))
                .as(said.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitCode.OK);
    }
}
