package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.console.custody.Custody;
import dev.veilgate.envelope.SigningKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * Makes frozen exports of the console, one of each format, for {@code FrozenExportTest} of the command, which verifies
 * them. Not part of a build; {@code .mvn/freeze.sh} runs it with {@code -Dveilgate.frozen.exports=FOLDER}.
 */
class FrozenExportMaker extends ScriptedGateway {
    private static final String NOT_ASKED = """
            "notAsked": {"targets": [{"scheme": "ntru-peks", "parameters": "p", "scope": "plant-7", \
            "epoch": "2026-09", "key": "0123456789abcdef0123456789abcdef"}], "more": 0}""";

    @Autowired
    private Custody custody;

    @Test
    void make() throws Exception {
        Path target = Files.createDirectories(Path.of(System.getProperty("veilgate.frozen.exports")));
        SigningKey sender = newSender("press-4");
        register(sender);
        List<byte[]> chain =
                chain(sender, List.of("plant-7", "plant-7"), List.of("pump overheated\n=1+1", "valve overheated"));
        serve(chain.toArray(new byte[0][]));
        findAsAsked();
        tell(NOT_ASKED);
        String logs = search("plant-7");
        assertThat(read(logs).get("state").asString()).isEqualTo("complete");
        write(target, logs, "jsonl");
        write(target, logs, "csv");
        tell("\"later\": true"); // of a gateway that does not tell what it was not asked
        serve(sealMail("plant-mail", """
                From: Bob <bob@example.org>\r
                To: ada@acme.example\r
                Subject: press 4\r
                Message-ID: <one@example.org>\r
                \r
                The press has overheated.\r
                """));
        String mails = start(query("overheated", "plant-mail").replace("\"mail\": false", "\"mail\": true"));
        assertThat(awaitEnd(mails).get("state").asString()).isEqualTo("complete");
        write(target, mails, "mbox");
        Files.writeString(
                target.resolve("authority"),
                custody.use(keys -> keys.authority().fingerprint()));
    }

    private void write(Path target, String search, String format) throws Exception {
        MockHttpServletResponse export = send(search + "/export?format=" + format);
        assertThat(export.getStatus()).isEqualTo(200);
        Files.write(target.resolve(format + ".zip"), export.getContentAsByteArray());
    }
}
