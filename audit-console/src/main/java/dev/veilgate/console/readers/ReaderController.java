package dev.veilgate.console.readers;

import dev.veilgate.console.http.DownloadName;
import dev.veilgate.console.http.Name;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/readers")
class ReaderController {
    private static final int MAX_ATTRIBUTES = 8192;
    private static final int MAX_EPOCHS = 4096;
    private static final int MIN_PASSPHRASE = 8;
    private static final int MAX_PASSPHRASE = 1024;

    private final Readers readers;

    ReaderController(Readers readers) {
        this.readers = readers;
    }

    /** What to issue; never printed, for the passphrase. */
    record IssueReader(
            @Nullable String name,
            @Nullable String attributes,
            @Nullable String epochs,
            @Nullable Boolean search,
            @Nullable String passphrase) {
        @Override
        public String toString() {
            return "IssueReader[hidden]";
        }
    }

    @GetMapping
    List<Readers.Reader> list(User user) throws Exception {
        user.require(Role.KEEPER);
        return readers.list();
    }

    @PostMapping("/issue")
    ResponseEntity<byte[]> issue(User user, @RequestBody IssueReader wanted) throws Exception {
        user.require(Role.KEEPER);
        String name = new Name(wanted.name()).required();
        String attributes = text("attributes", wanted.attributes(), 1, MAX_ATTRIBUTES);
        String epochs = text("epochs", wanted.epochs(), 1, MAX_EPOCHS);
        byte[] passphrase = text("passphrase", wanted.passphrase(), MIN_PASSPHRASE, MAX_PASSPHRASE)
                .getBytes(StandardCharsets.UTF_8);
        try {
            byte[] file = readers.issue(user, name, attributes, epochs, wanted.search(), passphrase);
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_OCTET_STREAM)
                    .header("Content-Disposition", DownloadName.attachment(name + ".vgr"))
                    .body(file);
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    private static String text(String property, @Nullable String value, int min, int max) {
        if (value == null || value.length() < min || value.length() > max) {
            throw ProblemException.malformed(property + " has " + min + " to " + max + " characters");
        }
        return value;
    }

    @PostMapping("/revoke")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(User user, @RequestBody Name wanted) throws Exception {
        user.require(Role.KEEPER);
        readers.revoke(user, wanted.required());
    }
}
