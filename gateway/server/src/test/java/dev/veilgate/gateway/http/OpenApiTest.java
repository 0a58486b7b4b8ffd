package dev.veilgate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.Yaml;

class OpenApiTest {
    private static final Set<String> OPERATIONS = Set.of("get", "put", "post", "delete");

    @Test
    void documentsEveryEndpointAndNoOther() throws Exception {
        assertThat(documented()).isEqualTo(mapped());
    }

    @Test
    void everyReferenceIsThere() throws IOException {
        Map<?, ?> document = read();
        for (String reference : references(document, new TreeSet<>())) {
            Object at = document;
            for (String step : reference.substring(2).split("/")) {
                at = ((Map<?, ?>) Objects.requireNonNull(at)).get(step);
            }
            assertThat(at).as(reference).isNotNull();
        }
    }

    private static Map<?, ?> read() throws IOException {
        try (InputStream in = Objects.requireNonNull(OpenApiTest.class.getResourceAsStream("/openapi.yaml"))) {
            return new Yaml().load(in);
        }
    }

    private static Set<String> references(Object node, Set<String> found) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (key.equals("$ref")) {
                    found.add(value.toString());
                } else {
                    references(value, found);
                }
            });
        } else if (node instanceof List<?> list) {
            list.forEach(item -> references(item, found));
        }
        return found;
    }

    private static Set<String> documented() throws IOException {
        Set<String> operations = new TreeSet<>();
        ((Map<?, ?>) Objects.requireNonNull(read().get("paths")))
                .forEach((path, item) -> ((Map<?, ?>) item)
                        .keySet().stream()
                                .map(Object::toString)
                                .filter(OPERATIONS::contains)
                                .forEach(method -> operations.add(method + " " + path)));
        return operations;
    }

    private static Set<String> mapped() throws ClassNotFoundException {
        var scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
        Set<String> operations = new TreeSet<>();
        for (BeanDefinition found : scanner.findCandidateComponents("dev.veilgate.gateway")) {
            Class<?> controller = Class.forName(found.getBeanClassName());
            RequestMapping above = AnnotatedElementUtils.findMergedAnnotation(controller, RequestMapping.class);
            String base = above == null ? "" : above.path()[0];
            for (Method method : controller.getDeclaredMethods()) {
                RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
                if (mapping != null) {
                    String path = mapping.path().length == 0 ? "" : mapping.path()[0];
                    Arrays.stream(mapping.method())
                            .map(RequestMethod::name)
                            .forEach(name -> operations.add(name.toLowerCase(Locale.ROOT) + " " + base + path));
                }
            }
        }
        return operations;
    }
}
