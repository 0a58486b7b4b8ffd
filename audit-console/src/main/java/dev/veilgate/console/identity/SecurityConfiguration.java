package dev.veilgate.console.identity;

import dev.veilgate.console.http.Headers;
import dev.veilgate.console.settings.ConsoleSettings;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.RequestCacheConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestResolver;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter;
import tools.jackson.databind.json.JsonMapper;

/** Pages and links to files are for everybody, /api for who is logged in. Tokens stay here; the browser has a session cookie. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
    private static final String NOBODY = "nobody is logged in";

    /** Links to the files of new users: whoever has one is who it says, so that there is no session and no token. */
    @Bean
    @Order(0)
    SecurityFilterChain links(HttpSecurity http) {
        return http.securityMatcher("/enrolment/**")
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(CsrfConfigurer::disable)
                .headers(headers -> headers.contentSecurityPolicy(
                                policy -> policy.policyDirectives(Headers.contentSecurityPolicy()))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicyHeaderWriter.ReferrerPolicy.NO_REFERRER)))
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain console(
            HttpSecurity http,
            ClientRegistrationRepository clients,
            LoginSettings login,
            ConsoleSettings settings,
            Sessions sessions,
            JsonMapper json,
            ApplicationEventPublisher events) {
        ComingAndGoing comingAndGoing = new ComingAndGoing(events, sessions);
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/api/**")
                        .authenticated()
                        .anyRequest()
                        .permitAll())
                .oauth2Login(client -> client.loginPage("/")
                        .authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(withPkce(clients)))
                        .successHandler(comingAndGoing)
                        .failureHandler((request, response, failure) -> response.sendRedirect("/?login=failed")))
                .logout(logout ->
                        logout.addLogoutHandler(comingAndGoing).logoutSuccessHandler(logout(clients, settings)))
                .exceptionHandling(handling -> handling.authenticationEntryPoint((request, response, failure) ->
                                answer(json, response, HttpStatus.UNAUTHORIZED, "session", NOBODY))
                        .accessDeniedHandler((request, response, denied) -> denied(json, response)))
                // A page that asks on while somebody logs in anew would change where the login at the embedded provider
                // leads.
                .requestCache(RequestCacheConfigurer::disable)
                .addFilterBefore(new SessionAge(sessions), SecurityContextHolderFilter.class)
                .addFilterBefore(new ProviderAway(clients), OAuth2AuthorizationRequestRedirectFilter.class)
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(policy(login)))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicyHeaderWriter.ReferrerPolicy.NO_REFERRER)))
                .build();
    }

    /** Not only where this server itself sees TLS: a proxy may end it. */
    @Bean
    ServletContextInitializer secureCookie(ConsoleSettings settings) {
        return context -> {
            if (settings.isSecure()) {
                context.getSessionCookieConfig().setSecure(true);
            }
        };
    }

    private static String policy(LoginSettings login) {
        return login.issuer() == null ? Headers.contentSecurityPolicy() : Headers.contentSecurityPolicy(login.issuer());
    }

    private static OAuth2AuthorizationRequestResolver withPkce(ClientRegistrationRepository clients) {
        DefaultOAuth2AuthorizationRequestResolver resolver = new DefaultOAuth2AuthorizationRequestResolver(
                clients, OAuth2AuthorizationRequestRedirectFilter.DEFAULT_AUTHORIZATION_REQUEST_BASE_URI);
        resolver.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
        return resolver;
    }

    /** At the provider too, if it has a way. */
    private static OidcClientInitiatedLogoutSuccessHandler logout(
            ClientRegistrationRepository clients, ConsoleSettings settings) {
        OidcClientInitiatedLogoutSuccessHandler handler = new OidcClientInitiatedLogoutSuccessHandler(clients);
        handler.setPostLogoutRedirectUri(settings.base() + "/");
        return handler;
    }

    /** A session that is over takes its CSRF token along: that is what the page must hear of, not that the token is wrong. */
    private static void denied(JsonMapper json, HttpServletResponse response) throws IOException {
        if (SecurityContextHolder.getContext().getAuthentication() == null) {
            answer(json, response, HttpStatus.UNAUTHORIZED, "session", NOBODY);
            return;
        }
        answer(
                json,
                response,
                HttpStatus.FORBIDDEN,
                "csrf",
                "the request did not come from the console's own page; load it again");
    }

    private static void answer(
            JsonMapper json, HttpServletResponse response, HttpStatus status, String type, String detail)
            throws IOException {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create("urn:veilgate:problem:" + type));
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        json.writeValue(response.getOutputStream(), problem);
    }
}
