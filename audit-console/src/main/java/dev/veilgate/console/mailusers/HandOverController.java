package dev.veilgate.console.mailusers;

import dev.veilgate.console.http.DownloadName;
import dev.veilgate.console.http.ProblemException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The page behind an enrolment link: for whoever has the link, without a login. */
@RestController
@RequestMapping("/enrolment")
class HandOverController {
    private static final Pattern BROWSER = Pattern.compile("[A-Za-z0-9_-]{20,100}");

    private final HandOver handOver;

    HandOverController(HandOver handOver) {
        this.handOver = handOver;
    }

    /**
     * Never printed.
     *
     * @param link    the secret of the link, which stands behind its #
     * @param browser what the browser drew for itself
     */
    record Visit(@Nullable String link, @Nullable String browser) {
        LinkSecret secret() {
            return LinkSecret.read(link == null ? "" : link)
                    .orElseThrow(() -> ProblemException.malformed("this is no whole link"));
        }

        String knownBrowser() {
            if (browser == null || !BROWSER.matcher(browser).matches()) {
                throw ProblemException.malformed("browser has 20 to 100 letters and digits");
            }
            return browser;
        }

        @Override
        public String toString() {
            return "Visit[hidden]";
        }
    }

    @PostMapping("/files")
    ResponseEntity<byte[]> files(@RequestBody Visit visit) throws Exception {
        String browser = visit.knownBrowser();
        try (LinkSecret secret = visit.secret()) {
            HandOver.Files files = handOver.handOver(secret, browser);
            return ResponseEntity.ok()
                    .contentType(new MediaType("application", "zip"))
                    .header(HttpHeaders.CONTENT_DISPOSITION, DownloadName.attachment(files.address() + ".zip"))
                    .body(files.zip());
        }
    }

    @PostMapping("/received")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void received(@RequestBody Visit visit) {
        String browser = visit.knownBrowser();
        try (LinkSecret secret = visit.secret()) {
            handOver.received(secret, browser);
        }
    }
}
