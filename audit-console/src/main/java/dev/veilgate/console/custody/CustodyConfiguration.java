package dev.veilgate.console.custody;

import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.console.settings.ConsoleSettings;
import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;

@Configuration(proxyBeanMethods = false)
class CustodyConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(CustodyConfiguration.class);
    private static final Duration BUNDLE_CHECKED = Duration.ofHours(1);

    @Bean(destroyMethod = "close")
    Custody custody(ConsoleSettings console, ConsoleSettings.KeySettings keys, Clock clock, TaskScheduler scheduler)
            throws IOException, MalformedEncodingException {
        if (Files.notExists(keys.folder().resolve(KeyFolder.KEY_FILE))) {
            throw new IllegalArgumentException(
                    "there are no keys in " + keys.folder() + " (veilgate.keys.folder); veilgate keys init makes them");
        }
        Custody custody = new Custody(keys.folder(), console.dataDir(), clock, new SecureRandom());
        scheduler.scheduleWithFixedDelay(
                () -> renewBundle(custody), clock.instant().plus(BUNDLE_CHECKED), BUNDLE_CHECKED);
        if (keys.passphraseFile() == null) {
            LOG.info("the keys are locked: a keeper opens them in the browser");
            return custody;
        }
        if (!Files.isReadable(keys.passphraseFile())) {
            throw new IllegalArgumentException(
                    keys.passphraseFile() + " (veilgate.keys.passphrase-file) cannot be read");
        }
        List<String> lines = Files.readAllLines(keys.passphraseFile());
        byte[] passphrase = (lines.isEmpty() ? "" : lines.getFirst()).getBytes(StandardCharsets.UTF_8);
        try {
            custody.unlock(passphrase);
        } catch (KeyFileException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
        return custody;
    }

    private static void renewBundle(Custody custody) {
        try {
            custody.renewBundleIfDue();
        } catch (IOException e) {
            LOG.error("the bundle could not be renewed; it is tried again in an hour", e);
        }
    }
}
