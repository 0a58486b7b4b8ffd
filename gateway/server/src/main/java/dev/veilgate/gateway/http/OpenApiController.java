package dev.veilgate.gateway.http;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OpenApiController {
    /** What this interface is; a test holds it against the controllers. */
    @GetMapping(path = "/openapi.yaml", produces = "application/yaml")
    Resource document() {
        return new ClassPathResource("openapi.yaml");
    }
}
