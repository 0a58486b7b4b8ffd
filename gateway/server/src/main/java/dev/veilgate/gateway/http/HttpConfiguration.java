package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.IssuedTokens;
import dev.veilgate.gateway.access.Principal;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class HttpConfiguration {
    @Bean
    BearerTokens bearerTokens(Access access, ObjectProvider<IssuedTokens> issued, MeterRegistry metrics) {
        return new BearerTokens(access, issued.getIfAvailable(() -> IssuedTokens.NONE), metrics);
    }

    @Bean
    FilterRegistrationBean<BearerFilter> bearerFilter(BearerTokens tokens, JsonMapper json) {
        FilterRegistrationBean<BearerFilter> registration =
                new FilterRegistrationBean<>(new BearerFilter(tokens, json));
        registration.addUrlPatterns("/v1/*");
        registration.setAsyncSupported(true);
        return registration;
    }

    /** Controllers take the authenticated {@link Principal} as a parameter. */
    @Bean
    WebMvcConfigurer principalParameter() {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new PrincipalResolver());
            }
        };
    }

    private static final class PrincipalResolver implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == Principal.class;
        }

        @Override
        public Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer container,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory factory) {
            HttpServletRequest servlet = Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class));
            return Objects.requireNonNull(servlet.getAttribute(BearerFilter.PRINCIPAL));
        }
    }
}
