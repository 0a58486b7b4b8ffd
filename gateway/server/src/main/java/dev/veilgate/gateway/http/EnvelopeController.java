package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.ingest.IngestSettings;
import dev.veilgate.gateway.ingest.Ingestion;
import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.gateway.ingest.Submission;
import dev.veilgate.gateway.ingest.Visibility;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.EnvelopeStore.Placed;
import dev.veilgate.gateway.store.StoredContent;
import dev.veilgate.gateway.store.StoredEnvelope;
import dev.veilgate.gateway.tenant.Tenants;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Envelopes in, and out again as they came. */
@RestController
@RequestMapping("/v1/tenants/{tenant}/envelopes")
class EnvelopeController {
    static final String ENVELOPE = "application/vnd.veilgate.envelope+cbor";
    private static final String MAIL = "message/rfc822";
    private static final int MAX_BESIDE = 100;

    private final Ingestion ingestion;
    private final EnvelopeStore store;
    private final Visibility visibility;
    private final VisibleEnvelopes envelopes;
    private final Tenants tenants;
    private final int maxBytes;
    private final SecureRandom random = new SecureRandom();

    EnvelopeController(
            Ingestion ingestion,
            EnvelopeStore store,
            Visibility visibility,
            VisibleEnvelopes envelopes,
            Tenants tenants,
            IngestSettings settings) {
        this.ingestion = ingestion;
        this.store = store;
        this.visibility = visibility;
        this.envelopes = envelopes;
        this.tenants = tenants;
        this.maxBytes = Math.toIntExact(settings.maxEnvelope().toBytes());
    }

    /** 201 once it is durable, 200 if exactly this envelope was there already. */
    @PostMapping(consumes = ENVELOPE)
    ResponseEntity<Map<String, Object>> submit(
            Principal principal, @PathVariable String tenant, HttpServletRequest request) throws IOException {
        Rights.require(principal, Right.INGEST, tenant, tenants);
        byte[] envelope = body(request);
        CompletableFuture<Receipt> future = ingestion.submit(new Submission.OfEnvelope(principal, envelope));
        try {
            Receipt receipt = future.join();
            String id = receipt.envelope().map(UUID::toString).orElse("");
            URI location = URI.create(request.getRequestURI() + "/" + id);
            ResponseEntity.BodyBuilder answer =
                    receipt.repeated() ? ResponseEntity.ok().location(location) : ResponseEntity.created(location);
            return answer.body(Map.of("id", id, "repeated", receipt.repeated()));
        } catch (CompletionException e) {
            if (e.getCause() instanceof RefusedException refused) {
                throw problem(refused);
            }
            throw e;
        }
    }

    private byte[] body(HttpServletRequest request) throws IOException {
        if (request.getContentLengthLong() > maxBytes) {
            throw tooLarge();
        }
        byte[] bytes = request.getInputStream().readNBytes(maxBytes + 1);
        if (bytes.length > maxBytes) {
            throw tooLarge();
        }
        return bytes;
    }

    private ProblemException tooLarge() {
        return problem(new RefusedException(Refusal.TOO_LARGE, "an envelope has at most " + maxBytes + " bytes here"));
    }

    static ProblemException problem(RefusedException refused) {
        HttpStatus status = switch (refused.refusal()) {
            case MALFORMED, CLOCK -> HttpStatus.BAD_REQUEST;
            case TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
            case UNKNOWN_TENANT -> HttpStatus.NOT_FOUND;
            case OUTDATED, UNKNOWN_KEY, UNKNOWN_SCOPE, PLAIN_MAIL -> HttpStatus.UNPROCESSABLE_CONTENT;
            case BAD_SIGNATURE, NOT_ALLOWED, UNPROVEN_SENDER -> HttpStatus.FORBIDDEN;
            case CONFLICT -> HttpStatus.CONFLICT;
            case QUOTA -> HttpStatus.TOO_MANY_REQUESTS;
            case STORAGE_FULL -> HttpStatus.INSUFFICIENT_STORAGE;
            case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
        };
        String type = refused.refusal().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new ProblemException(status, type, refused.getMessage());
    }

    /** Envelopes of a sender, drawn evenly by this gateway; of the empty name: of whoever has no chain, as mail. */
    @GetMapping(params = "draw")
    List<Placed> drawn(
            Principal principal,
            @PathVariable String tenant,
            @RequestParam(required = false) @Nullable String sender,
            @RequestParam int draw)
            throws IOException, InterruptedException {
        Rights.require(principal, Right.SEARCH, tenant, tenants);
        if (sender == null) {
            throw ProblemException.malformed("sender must say whose");
        }
        if (draw < 1 || draw > MAX_BESIDE) {
            throw ProblemException.malformed("draw must be 1 to " + MAX_BESIDE);
        }
        Predicate<String> visible = principal::maySee;
        visibility.await(tenant, Visibility.MOST_BEHIND);
        return store.drawn(tenant, sender, visible, draw, random);
    }

    /** Which envelopes stand beside a place in a sender's chain, nearest first. */
    @GetMapping(params = "!draw")
    List<Placed> beside(
            Principal principal,
            @PathVariable String tenant,
            @RequestParam(required = false) @Nullable String sender,
            @RequestParam(required = false) @Nullable Long before,
            @RequestParam(required = false) @Nullable Long after,
            @RequestParam(defaultValue = "1") int limit)
            throws IOException, InterruptedException {
        Rights.require(principal, Right.SEARCH, tenant, tenants);
        if (sender == null) {
            throw ProblemException.malformed("sender must say whose");
        }
        if ((before == null) == (after == null)) {
            throw ProblemException.malformed("either before or after must say where");
        }
        if (limit < 1 || limit > MAX_BESIDE) {
            throw ProblemException.malformed("limit must be 1 to " + MAX_BESIDE);
        }
        Predicate<String> visible = principal::maySee;
        visibility.await(tenant, Visibility.MOST_BEHIND);
        long place = Objects.requireNonNullElse(before, Objects.requireNonNullElse(after, 0L));
        return store.beside(tenant, sender, place, after != null, visible, limit);
    }

    /**
     * The envelope, byte for byte. Anybody may send a mail with an id that is another's; with the digest of a hit it is
     * the one that was found.
     */
    @GetMapping("/{id}")
    ResponseEntity<byte[]> envelope(
            Principal principal,
            @PathVariable String tenant,
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String digest)
            throws IOException, InterruptedException {
        StoredEnvelope stored = find(principal, tenant, id, digest);
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(ENVELOPE))
                .eTag(EnvelopeName.of(stored.envelope()).digest())
                .body(stored.envelope().bytes());
    }

    /** The sealed mail that an envelope is the index of. */
    @GetMapping("/{id}/content")
    ResponseEntity<Resource> content(
            Principal principal,
            @PathVariable String tenant,
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable String digest)
            throws IOException, InterruptedException {
        StoredContent content = find(principal, tenant, id, digest).content();
        if (content == null) {
            throw ProblemException.notFound("content beside this envelope");
        }
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(MAIL))
                .contentLength(content.bytes())
                .body(new InputStreamResource(content.open()));
    }

    /** A token that may see some scopes reads only envelopes that are indexed under one of them. */
    private StoredEnvelope find(Principal principal, String tenant, UUID id, @Nullable String digest)
            throws IOException, InterruptedException {
        Rights.require(principal, Right.SEARCH, tenant, tenants);
        if (digest != null && !EnvelopeName.isDigest(digest)) {
            throw ProblemException.malformed("a digest has 64 hexadecimal digits, in lower case");
        }
        Optional<StoredEnvelope> found = envelopes.find(principal, id, digest);
        if (found.isEmpty() && digest == null && envelopes.isShared(principal, id)) {
            throw new ProblemException(
                    HttpStatus.NOT_FOUND,
                    "shared-id",
                    "several envelopes have this id, and none is told from the others by it: ask with the digest of the one that is meant");
        }
        return found.orElseThrow(() -> ProblemException.notFound("the envelope"));
    }
}
