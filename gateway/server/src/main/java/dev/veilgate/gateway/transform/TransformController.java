package dev.veilgate.gateway.transform;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.TransformAnswer;
import dev.veilgate.envelope.TransformRequest;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.http.ProblemException;
import dev.veilgate.gateway.http.Rights;
import dev.veilgate.gateway.tenant.Tenants;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Pairings for readers: a blinded key and places of wraps in, transformed wraps out. */
@RestController
@RequestMapping("/v1/tenants/{tenant}/transforms")
class TransformController {
    private final Transforms transforms;
    private final Tenants tenants;

    TransformController(Transforms transforms, Tenants tenants) {
        this.transforms = transforms;
        this.tenants = tenants;
    }

    /** Answers each wrap, in the order of the request. Nothing is kept. */
    @PostMapping(consumes = TransformRequest.MEDIA_TYPE)
    ResponseEntity<byte[]> transform(Principal principal, @PathVariable String tenant, HttpServletRequest http)
            throws IOException, MalformedEncodingException, InterruptedException {
        Rights.require(principal, Right.SEARCH, tenant, tenants);
        TransformRequest request = TransformRequest.decode(body(http));
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(TransformAnswer.MEDIA_TYPE))
                .header("Cache-Control", "no-store")
                .body(TransformAnswer.encode(transforms.answer(principal, request)));
    }

    private static byte[] body(HttpServletRequest request) throws IOException {
        byte[] bytes = request.getContentLengthLong() > TransformRequest.MAX_BYTES
                ? new byte[0]
                : request.getInputStream().readNBytes(TransformRequest.MAX_BYTES + 1);
        if (bytes.length > TransformRequest.MAX_BYTES || request.getContentLengthLong() > TransformRequest.MAX_BYTES) {
            throw new ProblemException(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "too-large",
                    "a request has at most " + TransformRequest.MAX_BYTES + " bytes: a key of "
                            + TransformRequest.MAX_KEY_BYTES + " and " + TransformRequest.MAX_WRAPS + " wraps");
        }
        return bytes;
    }
}
