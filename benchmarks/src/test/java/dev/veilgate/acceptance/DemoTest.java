package dev.veilgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.testing.AlteredMail;
import dev.veilgate.testing.ProcessLock;
import dev.veilgate.testing.Thunderbird;
import dev.veilgate.testing.ThunderbirdFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README's first command, to its end. */
class DemoTest {
    @TempDir
    Path folder;

    @Test
    void showsMailAndLogsThroughTheGatewayAndLeavesNothingRunning() throws Exception {
        Path said = folder.resolve("said");
        ProcessBuilder demo = new ProcessBuilder(List.of(
                        "sh",
                        Programs.command(),
                        "demo",
                        "--exit",
                        "--folder",
                        folder.resolve("site").toString()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        demo.environment().put("JAVA_HOME", System.getProperty("java.home"));
        demo.environment().putAll(Programs.homes());
        Process started;
        try (ProcessLock _ = RunningDemo.startLock()) { // until its programs have their ports
            started = demo.start();
            while (started.isAlive()
                    && !Files.readString(said, StandardCharsets.UTF_8).contains("log in there with")) {
                started.waitFor(100, TimeUnit.MILLISECONDS);
            }
        }
        int status = started.waitFor();
        String text = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(status).as(text).isZero();
        assertThat(text)
                .contains("10 of 10 arrived in alice's mailbox")
                .contains("the pager got 2 of them")
                .contains("press-2 controller: ERROR")
                .contains("gate sshd")
                .contains("URGENT: furnace 2 is leaking")
                .contains("Furnace 2 again")
                .containsPattern("ready after [0-9.]+ s: http://localhost:[0-9]+\\R"
                        + "log in there with the password veilgate-demo as\\R"
                        + "  ada  .*\\R  ben  .*\\R  eve  .*\\R  kim  .*oli, .*\\R")
                .doesNotContain("Lunch on Thursday");
        List<String> subjects = thunderbirdOpens(folder.resolve("site"), 10);
        int urgent = 1 + subjects.indexOf("Subject: URGENT: furnace 2 is leaking");
        thunderbirdShows(folder.resolve("site"), urgent);
        assertThat(ProcessHandle.allProcesses()
                        .filter(process -> process.info()
                                .commandLine()
                                .filter(line -> line.contains(folder.toString()))
                                .isPresent())
                        .toList())
                .isEmpty();
    }

    /**
     * Subjects of all mails of the mailbox, opened with the files that the demonstration names, by the libraries of
     * Thunderbird.
     */
    private List<String> thunderbirdOpens(Path site, int mails) throws Exception {
        Path nss = Files.createDirectory(folder.resolve("nss"));
        String db = "sql:" + nss;
        nss("certutil", "-N", "-d", db, "--empty-password");
        nss("pk12util", "-i", site.resolve("alice.p12").toString(), "-d", db, "-W", "veilgate-demo", "-K", "");
        String authority = site.resolve("mail-authority.pem").toString();
        nss("certutil", "-A", "-d", db, "-n", "authority", "-t", "C,C,C", "-i", authority);
        List<String> subjects = new ArrayList<>();
        for (int i = 1; i <= mails; i++) {
            String mail = Files.readString(site.resolve("mailbox").resolve(i + ".eml"), StandardCharsets.ISO_8859_1);
            assertThat(mail).contains("Subject: [...]\r\n").doesNotContain("furnace");
            Path cms = Files.write(
                    folder.resolve("mail.der"), Base64.getMimeDecoder().decode(body(mail)));
            Path opened = folder.resolve("opened");
            nss("cmsutil", "-D", "-d", db, "-i", cms.toString(), "-o", opened.toString());
            String entity = Files.readString(opened, StandardCharsets.ISO_8859_1);
            assertThat(entity).contains("Content-Type: application/pkcs7-mime; smime-type=signed-data;");
            Path signed = Files.write(
                    folder.resolve("signed.der"), Base64.getMimeDecoder().decode(body(entity)));
            Path verified = folder.resolve("verified");
            nss("cmsutil", "-D", "-d", db, "-u", "4", "-i", signed.toString(), "-o", verified.toString());
            String message = Files.readString(verified, StandardCharsets.ISO_8859_1);
            subjects.add(message.lines()
                    .filter(line -> line.startsWith("Subject: "))
                    .findFirst()
                    .orElseThrow());
        }
        assertThat(subjects).contains("Subject: URGENT: furnace 2 is leaking").doesNotHaveDuplicates();
        return subjects;
    }

    /** The urgent mail in its window, and the same with one bit altered on its way. */
    private void thunderbirdShows(Path site, int number) throws Exception {
        Path pictures = Files.createDirectories(Path.of("target/thunderbird"));
        byte[] mail = Files.readAllBytes(site.resolve("mailbox").resolve(number + ".eml"));
        try (Thunderbird thunderbird = Thunderbird.start(
                Files.createDirectory(folder.resolve("thunderbird")),
                List.of(site.resolve("mail-authority.pem")),
                List.of(site.resolve("alice.p12")),
                "veilgate-demo",
                "alice@demo.example")) {
            Thunderbird.Shown shown = thunderbird.open(mail, pictures.resolve("demo.png"));
            assertThat(shown.text())
                    .isEqualTo("From: deniz@plant.example\nTo: alice@demo.example\n"
                            + "Subject: URGENT: furnace 2 is leaking\n\n"
                            + "Coolant on the floor of hall B, we have stopped the line. Call me.\n");
            assertThat(shown.signature()).isEqualTo("Good signature");
            assertThat(shown.encryption()).isEqualTo("Decryption successful");
            Thunderbird.Shown altered =
                    thunderbird.open(AlteredMail.inBlock(mail, 30), pictures.resolve("demo-altered.png"));
            assertThat(altered.text()).doesNotContain("Coolant");
            assertThat(altered.signature() + altered.encryption()).doesNotContain("Good", "successful");
        }
    }

    private static String body(String part) {
        return part.substring(part.indexOf("\r\n\r\n") + 4);
    }

    /** With NSS of Thunderbird, not of the system. */
    private static void nss(String... command) throws Exception {
        ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
        program.environment().put("LD_LIBRARY_PATH", ThunderbirdFolder.find().toString());
        Process process = program.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(String.join(" ", command) + ": " + said)
                .isZero();
    }
}
