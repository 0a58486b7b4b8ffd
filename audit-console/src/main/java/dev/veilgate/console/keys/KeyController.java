package dev.veilgate.console.keys;

import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.issuing.EntryKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class KeyController {
    private static final Logger LOG = LoggerFactory.getLogger(KeyController.class);
    private static final String BUNDLE_TYPE = "application/vnd.veilgate.bundle+cbor";
    private static final String REGISTRY_TYPE = "application/vnd.veilgate.senders";
    private static final int MAX_PASSPHRASE = 1024;
    private static final List<String> KINDS = List.of("index", "wrap", "policy");

    private final Custody custody;
    private final AuditLog log;
    private final Attempts attempts;
    private final Clock clock;

    KeyController(Custody custody, AuditLog log, Attempts attempts, Clock clock) {
        this.custody = custody;
        this.log = log;
        this.attempts = attempts;
        this.clock = clock;
    }

    /** Never printed. */
    record Passphrase(@Nullable String passphrase) {
        /** @throws ProblemException 400 for none, or a very long one */
        byte[] bytes() {
            if (passphrase == null || passphrase.isEmpty() || passphrase.length() > MAX_PASSPHRASE) {
                throw ProblemException.malformed("passphrase has 1 to " + MAX_PASSPHRASE + " characters");
            }
            return passphrase.getBytes(StandardCharsets.UTF_8);
        }

        static ProblemException wrong() {
            return new ProblemException(HttpStatus.FORBIDDEN, "wrong-passphrase", "the passphrase is wrong");
        }

        @Override
        public String toString() {
            return "Passphrase[hidden]";
        }
    }

    record Rotation(@Nullable List<String> kinds, @Nullable String wrapAlgorithm) {}

    @GetMapping("/api/keys")
    KeysView keys(User user) throws Exception {
        user.require(Role.KEEPER);
        return view();
    }

    private KeysView view() throws Exception {
        if (custody.isLocked()) {
            return KeysView.ofLocked();
        }
        Instant now = clock.instant();
        byte[] bundle = custody.bundle().orElseThrow(ProblemException::locked);
        long trapdoors = custody.issuedTrapdoors();
        return custody.use(keys -> KeysView.of(keys, now, expiry(bundle, keys, now), trapdoors));
    }

    private static @Nullable Instant expiry(byte[] bundle, TenantKeys keys, Instant now) {
        try {
            return PublicBundle.verify(bundle, keys.authority().fingerprint(), now)
                    .notAfter();
        } catch (MalformedEncodingException | RefusedBundleException e) {
            return null; // it is over: the next change makes another
        }
    }

    @PostMapping("/api/keys/unlock")
    KeysView unlock(User user, @RequestBody Passphrase wanted) throws Exception {
        user.require(Role.KEEPER);
        byte[] passphrase = wanted.bytes();
        if (!custody.isLocked()) {
            Arrays.fill(passphrase, (byte) 0);
            return view();
        }
        attempts.begin();
        boolean isRight = false;
        boolean isOpened;
        try {
            isOpened = custody.unlock(passphrase);
            isRight = true;
        } catch (KeyFileException e) {
            isRight = e.reason() != KeyFileException.Reason.WRONG_PASSPHRASE;
            LOG.warn("{} could not open the keys: {}", user.id(), e.reason());
            throw isRight ? ProblemException.conflict(String.valueOf(e.getMessage())) : Passphrase.wrong();
        } catch (IOException e) {
            isRight = true; // it did not come to an answer about the passphrase, or it was right
            LOG.error("the keys could not be opened", e);
            throw ProblemException.conflict("the keys could not be opened: " + e.getMessage());
        } finally {
            Arrays.fill(passphrase, (byte) 0);
            attempts.end(isRight);
        }
        if (isOpened) { // not by somebody else meanwhile, whose passphrase it was that was right
            log.append(Entries.change(EntryKind.KEY_CHANGE, user.id(), "unlocked", custody.tenant()));
        }
        return view();
    }

    @PostMapping("/api/keys/lock")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void lock(User user) throws Exception {
        user.require(Role.KEEPER);
        if (custody.isLocked()) {
            return;
        }
        try {
            log.append(Entries.change(EntryKind.KEY_CHANGE, user.id(), "locked", custody.tenant()));
        } catch (ProblemException e) {
            if (!custody.isLocked()) { // by somebody else meanwhile
                throw new ProblemException(
                        HttpStatus.INTERNAL_SERVER_ERROR,
                        e.type(),
                        "the keys are locked, and no entry says so: " + e.getMessage());
            }
        } finally {
            custody.lock(); // it hands out nothing, so that it needs no entry
        }
    }

    @PostMapping("/api/keys/rotate")
    KeysView rotate(User user, @RequestBody Rotation wanted) throws Exception {
        user.require(Role.KEEPER);
        List<String> named = wanted.kinds() == null ? List.of() : wanted.kinds();
        if (!named.stream().allMatch(kind -> kind != null && KINDS.contains(kind))) {
            throw ProblemException.malformed("kinds are index, wrap and policy");
        }
        List<String> kinds =
                named.isEmpty() ? KINDS : KINDS.stream().filter(named::contains).toList();
        WrapAlgorithm algorithm = algorithm(wanted);
        String said = algorithm == null ? String.join(" ", kinds) : "wrap policy, with " + algorithm.id();
        try {
            long serial = custody.change(keys -> {
                if (algorithm != null) {
                    keys.wrapWith(algorithm, new SecureRandom(), clock.instant());
                } else {
                    for (String kind : kinds) {
                        rotate(keys, kind);
                    }
                }
                // nobody has them before they are kept, which comes next
                log.append(Entries.change(EntryKind.KEY_CHANGE, user.id(), "rotated", said));
                return keys.serial() + 1;
            });
            log.append(Entries.change(EntryKind.BUNDLE, user.id(), "signed", "serial " + serial));
        } catch (IllegalStateException e) {
            throw ProblemException.conflict(String.valueOf(e.getMessage()));
        }
        return view();
    }

    private static @Nullable WrapAlgorithm algorithm(Rotation wanted) {
        String id = wanted.wrapAlgorithm();
        if (id == null) {
            return null;
        }
        if (wanted.kinds() != null && !wanted.kinds().isEmpty()) {
            throw ProblemException.malformed("wrapAlgorithm stands alone, without kinds");
        }
        return WrapAlgorithm.byId(id)
                .orElseThrow(() -> ProblemException.malformed("wrapAlgorithm is one of " + WrapAlgorithm.ids()));
    }

    private void rotate(TenantKeys keys, String kind) throws MalformedEncodingException {
        SecureRandom random = new SecureRandom();
        switch (kind) {
            case "index" -> keys.rotateIndexKey(random, clock.instant());
            case "wrap" -> keys.rotateWrapKey(random, clock.instant());
            default -> keys.rotatePolicyKey(random, clock.instant());
        }
    }

    /** Agents fetch it and check it against the authority's fingerprint, which they pin. */
    @GetMapping(path = "/bundle", produces = BUNDLE_TYPE)
    ResponseEntity<byte[]> bundle() throws NoSuchAlgorithmException {
        byte[] bundle = custody.bundle().orElseThrow(ProblemException::locked);
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noCache())
                .eTag(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bundle)))
                .body(bundle);
    }

    /**
     * Gateways fetch it beside the bundle, and check it against the same fingerprint. It is as large as two kilobytes a
     * sender.
     */
    @GetMapping(path = "/sender-registry", produces = REGISTRY_TYPE)
    ResponseEntity<Resource> senderRegistry() {
        Resource registry = custody.senderRegistry()
                .map(FileSystemResource::new)
                .filter(FileSystemResource::exists)
                .orElseThrow(ProblemException::locked);
        return ResponseEntity.ok().cacheControl(CacheControl.noCache()).body(registry);
    }
}
